@setlocal
@set "PATH=%~dp0node_modules\.bin;%PATH%"
@set "NODE_COMPILE_CACHE=%~dp0node_modules\.cache\node"
@node "%~dp0tools\launcher\launch.cjs" "%~dp0bin\customer-data.ts" %*
