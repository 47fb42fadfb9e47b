local M = {}
return M
