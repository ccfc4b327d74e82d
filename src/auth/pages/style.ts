/** The style of all pages; small enough to be sent with each. */
export const style = `
:root { color-scheme: light dark; --ground: #eef2f5; --sheet: #fff; --ink: #16242e; --dim: #566773; --line: #b9c6cf; --accent: #0b5c83; --bad: #a4201c; --good: #14663f; --bad-ground: #fbeceb; }
@media (prefers-color-scheme: dark) { :root { --ground: #0e171d; --sheet: #17232b; --ink: #e6eef3; --dim: #9db0bc; --line: #3d4f5b; --accent: #58b4de; --bad: #ff9a94; --good: #6fd8a4; --bad-ground: #3a1f1e; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; justify-content: center; align-items: flex-start; padding: 8vh 1rem 2rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--sheet); border-radius: .75rem; border-top: .25rem solid var(--accent); box-shadow: 0 1px 3px #0003; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
.brand { margin-bottom: .25rem; color: var(--dim); font-size: .875rem; letter-spacing: .04em; }
.hint { margin: .25rem 0 0; color: var(--dim); font-size: .875rem; }
.problem { margin-top: 1rem; padding: .625rem .75rem; border-radius: .375rem; background: var(--bad-ground); color: var(--bad); }
label { display: block; margin-top: 1rem; font-weight: 600; }
input { display: block; width: 100%; margin-top: .25rem; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .375rem; background: transparent; color: inherit; font: inherit; }
fieldset { margin: 1rem 0 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
.choice { display: flex; align-items: baseline; gap: .625rem; margin-top: .5rem; font-weight: 400; }
.choice input { width: auto; margin: 0; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; align-items: center; gap: 1.25rem; margin-top: 1.5rem; }
button { padding: .625rem 1.25rem; border: 0; border-radius: .375rem; background: var(--accent); color: var(--sheet); font: inherit; font-weight: 600; cursor: pointer; }
a { color: var(--accent); }
.wide { max-width: 52rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
h4 { margin: .75rem 0 .25rem; font-size: .875rem; color: var(--dim); }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .25rem 1.25rem; margin: 0 0 1rem; }
dt { color: var(--dim); }
dd { margin: 0; }
.state { display: inline-block; padding: .25rem .75rem; border-radius: .375rem; border: 1px solid currentColor; font-weight: 600; }
.failure, .error { color: var(--bad); }
.ok { color: var(--good); }
.scrolling { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .375rem 1rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
section { padding-top: .25rem; border-top: 1px solid var(--line); }
ul { margin: 0 0 .75rem; padding-left: 1.25rem; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); }
.passkey { margin-top: 1rem; padding-top: .25rem; }
.passkey + form { margin-top: 1rem; border-top: 1px solid var(--line); }
.passkey .actions { margin-top: .75rem; }
[hidden] { display: none; }
button:disabled { opacity: .6; cursor: default; }
button.quiet, a.button { border: 1px solid var(--line); background: transparent; color: inherit; font-weight: 400; }
a.button { display: inline-block; padding: .625rem 1.25rem; border-radius: .375rem; text-decoration: none; }
.or { margin: 1rem 0 0; }
input:read-only { background: var(--ground); color: var(--dim); }
@media (max-width: 30rem) { main { padding: 1.25rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`
