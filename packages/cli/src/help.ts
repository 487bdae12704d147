/** The longer texts of `--help`. */

export const generalHelp = `
A server is a URL, or a command to start, which comes last, after --, or one of your
configuration, by name: --server NAME

Examples:
  hawser discover https://example.com/mcp
  hawser tools -- npx -y some-server --flag
  hawser call https://example.com/mcp add a=1 b=2
  hawser call echo text=hi -- node server.js
  hawser read --server files file:///notes.txt
  hawser servers

Exit codes:
  0 done    1 the tool reported an error    2 wrong usage    3 no connection
  4 the server broke the protocol, refused the request or the revision
  5 credentials missing or not sufficient    6 the server asked, nobody could answer
  130 stopped with Ctrl-C`;

export const callHelp = `
Arguments of the tool:
  key=value      text, or what the tool's schema wants: number, boolean, list, object (as JSON)
  key:=json      any JSON value
  key=@file      text from a file          key:=@file    JSON from a file
  a.b=value      a member of an object     a\\.b=value    a key with a dot in it
  -              all arguments as one JSON object from standard input

Examples:
  hawser call https://example.com/mcp search query='red shoes' limit=5 filter.size=42
  hawser call https://example.com/mcp send to:='["a@example.com"]' body=@letter.txt
  echo '{"text": "hi"}' | hawser call echo - -- node server.js`;

export const completeHelp = `
What is completed: an argument of a prompt (prompt:NAME), or a variable of a template (file:///{path})

Examples:
  hawser complete https://example.com/mcp prompt:review language py
  hawser complete https://example.com/mcp 'file:///{path}' path src/ --context branch=main`;
