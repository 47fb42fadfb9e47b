abc
