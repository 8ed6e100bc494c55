@setlocal DisableDelayedExpansion
@set "PATH=%~dp0node_modules\.bin;%PATH%"
@set "NODE_COMPILE_CACHE=%~dp0node_modules\.cache\node"
@rem How this cmd.exe was started, without quotes: packages/deployment/program/suggestion.ts tells by it which shell runs the command.
@set "CUSTOMER_DATA_CMD=%CMDCMDLINE:"=%"
@node "%~dp0packages\launcher\launch.cjs" "%~dp0packages\command-line\customer-data.ts" %*
