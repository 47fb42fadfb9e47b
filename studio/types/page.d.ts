// The shapes that several scripts of the page share. What the studio sends is in messages.d.ts.

/** What an element can be filled with; some of it is left out. */
type Child = Node | string | number | boolean | null | undefined;
type Children = (Child | Child[])[];
type Attributes = Record<string, any>;

/** An event of an element that is known. */
type On<E extends Element = HTMLInputElement, V extends Event = Event> = V & { target: E; currentTarget: E };
type Ref<E> = { current: E | null };

/** Left and top. */
type Point = [number, number];
/** Left, top, right and bottom, in units of a drawing. */
type Box = [number, number, number, number];
type Rect = { x: number; y: number; width: number; height: number };

/** A moment: the present with all that belongs to it, or an earlier one. */
type Shown = Api.MomentPicture & Partial<Api.TablePicture>;
type Ended = Shown & { over: Api.Ending };

/** A thing that an option can be about. */
interface Thing {
  space?: string;
  piece?: { kind: string; space: string; owner: string | null };
  card?: { card: string };
  faction?: string;
  zone?: string;
  counter?: string;
}

/** A line of the log with its number, and its die as a drawing. */
type Line = Api.LogLine & { number: number; die?: string };

/** A line of a chart. */
interface Series {
  name: string;
  color: string;
  points: Point[];
}

/** A share from 0 to 1 with its interval. */
interface Share {
  name?: string;
  share: number;
  low: number;
  high: number;
  before?: Share | null;
}

/** A wish with all fields that some kind of wish has. */
interface Wish {
  do: string;
  family?: string;
  id?: string;
  key?: string;
  language?: string;
  pack?: string | null;
  path?: string;
  pointer?: string;
  value?: any;
}

/** Wishes that are staged and taken back together. */
interface Action {
  title: string;
  wishes: Wish[];
}

/** The place of a value, so that findings and pins appear at its field. */
interface Notes {
  family?: string;
  id?: string;
  pointer?: string;
  key?: string;
  language?: string;
}

/** The parameters of a request. Those that are null are left out. */
type Given<T> = {} extends T ? [given?: Nullable<T>] : [given: Nullable<T>];
type Nullable<T> = { [K in keyof T]: T[K] | null };

/** A move of another seat that is shown now, with the number of those that follow. */
type Move = Api.Frame & { left: number; skip: () => void };

/** The consequences of an option, as far as they are known. */
type Outlook = Api.Outlook & { option: Api.OptionInWords; odds?: Api.Chances | null };
