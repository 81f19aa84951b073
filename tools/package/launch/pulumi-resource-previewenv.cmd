@echo off
rem Starts the plugin with the Node beside it, or else with the one on PATH.
setlocal
set "PREVIEWENV_NODE=%~dp0node.exe"
if exist "%PREVIEWENV_NODE%" goto start
set "PREVIEWENV_NODE=node"
where /q node && goto start
echo pulumi-resource-previewenv: there is no node on PATH. Install Node 22.19 or newer (https://nodejs.org/en/download), or the packaged plugin, which brings its own. 1>&2
exit /b 1
:start
rem NODE_OPTIONS of a job is meant for the Node and the modules of its own programs.
if not defined NODE_OPTIONS goto run
for /f "tokens=1* delims==" %%n in ('set NODE_OPTIONS') do if /i "%%n"=="NODE_OPTIONS" set "PREVIEWENV_NODE_OPTIONS=%%o"
set "NODE_OPTIONS="
for /f "delims=" %%o in ('^""%PREVIEWENV_NODE%" "%~dp0node-options.cjs"^"') do set "NODE_OPTIONS=%%o"
:run
"%PREVIEWENV_NODE%" "%~dp0start.cjs" %*
