@set "PATH=%~dp0node_modules\.bin;%PATH%"
@node "%~dp0bin\customer-data.ts" %*
