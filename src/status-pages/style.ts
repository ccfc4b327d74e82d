import { readableOn } from '../domain/status-pages/contrast.ts'

/** The grounds on which texts and links stand: the page itself and its sheets. */
const grounds = { light: { page: '#f5f7f9', sheet: '#ffffff' }, dark: { page: '#0f171c', sheet: '#172128' } } as const
const usualAccent = '#0b5c83'

/** The owner's accent, moved until it can be read on the harder ground of either scheme. */
export function accentsOf(accent: string | null): { readonly light: string; readonly dark: string } {
  const wanted = accent ?? usualAccent
  return { light: readableOn(grounds.light.page, wanted), dark: readableOn(grounds.dark.sheet, wanted) }
}

/** The style of a page. */
export function styleOf(accent: string | null): string {
  const { light, dark } = accentsOf(accent)
  return `
:root { color-scheme: light dark; --ground: ${grounds.light.page}; --sheet: ${grounds.light.sheet}; --ink: #15222b; --dim: #52626d; --line: #d5dee4; --accent: ${light}; --ok: #17784b; --little: #a85a00; --much: #b3261e; --works: #2a5db0; --none: #c9d3da; }
@media (prefers-color-scheme: dark) { :root { --ground: ${grounds.dark.page}; --sheet: ${grounds.dark.sheet}; --ink: #e7eef3; --dim: #a3b4bf; --line: #2c3a43; --accent: ${dark}; --ok: #4cc38a; --little: #f0a94a; --much: #ff8b82; --works: #86b1f7; --none: #3b4953; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
.all { max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }
header { border-top: .25rem solid var(--accent); padding-top: 1.25rem; }
.logo { display: block; margin-bottom: .75rem; }
.logo img { display: block; max-width: 100%; height: auto; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; }
h3 { margin: 0; font-size: 1rem; font-weight: 600; }
p { margin: .25rem 0 0; white-space: pre-line; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.dim { color: var(--dim); font-size: .875rem; }
.banner { display: flex; align-items: center; gap: .75rem; margin: 1.5rem 0 0; padding: 1rem 1.25rem; border-radius: .75rem; background: var(--sheet); border: 1px solid var(--line); border-left: .375rem solid var(--state); font-size: 1.125rem; font-weight: 600; }
.banner svg { flex: none; width: 1.5rem; height: 1.5rem; color: var(--state); }
.stale { margin-top: 1rem; padding: .75rem 1rem; border-radius: .5rem; border: 1px solid var(--little); }
.none, .operational, .resolved, .completed { --state: var(--ok); }
.minor, .degraded_performance, .partial_outage { --state: var(--little); }
.major, .critical, .major_outage { --state: var(--much); }
.maintenance, .under_maintenance { --state: var(--works); }
.unknown { --state: var(--dim); }
.list { margin: 0; padding: 0; list-style: none; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; }
.list > li { padding: 1rem 1.25rem; }
.list > li + li { border-top: 1px solid var(--line); }
.list .list { margin-top: .75rem; }
.top, .legend { display: flex; justify-content: space-between; gap: .25rem 1rem; }
.top { flex-wrap: wrap; align-items: baseline; }
.legend { margin-top: .25rem; color: var(--dim); font-size: .8125rem; white-space: nowrap; }
.state { color: var(--state); font-size: .875rem; font-weight: 600; white-space: nowrap; }
.state::before { content: ""; display: inline-block; width: .625rem; height: .625rem; margin-right: .4375rem; border-radius: 50%; background: currentColor; }
.under_maintenance.state::before, .degraded_performance.state::before, .partial_outage.state::before { border-radius: 0; }
.unknown.state::before { background: none; border: 2px solid currentColor; }
.major_outage.state::before { border-radius: 0; transform: rotate(45deg); }
summary { cursor: pointer; }
summary .top { display: inline-flex; width: calc(100% - 1.25rem); vertical-align: top; }
.bars { display: block; width: 100%; height: 2rem; margin-top: .75rem; }
.bars path { fill: none; stroke-width: 10; stroke-dasharray: 3 1; }
.bars .ok { stroke: var(--ok); } .bars .slight { stroke: var(--little); stroke-width: 2.5; } .bars .little { stroke: var(--little); stroke-width: 5; } .bars .some { stroke: var(--much); stroke-width: 7.5; } .bars .much { stroke: var(--much); } .bars .none { stroke: var(--none); }
.incident { margin-top: .75rem; padding: 1rem 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-left: .375rem solid var(--state); border-radius: .75rem; }
main > .incident { margin-top: 1.5rem; }
header p + h1 { margin-top: .25rem; }
.updates { margin: .75rem 0 0; padding: 0; list-style: none; }
.updates li + li { margin-top: .75rem; }
.updates b { margin-right: .5rem; }
form { margin-top: 1.5rem; max-width: 22rem; }
label { display: block; font-weight: 600; }
input { display: block; width: 100%; margin: .25rem 0 1rem; padding: .625rem .75rem; border: 1px solid var(--dim); border-radius: .375rem; background: var(--sheet); color: inherit; font: inherit; }
button { padding: .625rem 1.25rem; border: 0; border-radius: .375rem; background: var(--accent); color: var(--ground); font: inherit; font-weight: 600; cursor: pointer; }
select { display: block; width: 100%; margin: .25rem 0 1rem; padding: .625rem .5rem; border: 1px solid var(--dim); border-radius: .375rem; background: var(--sheet); color: inherit; font: inherit; }
fieldset { margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
fieldset:has([value="all"]:checked) .boxes { display: none; }
button:disabled { background: var(--line); color: var(--dim); cursor: not-allowed; }
.quiet { background: none; border: 1px solid var(--accent); color: var(--accent); }
input[aria-invalid] { border-color: var(--much); }
.choice { display: flex; gap: .5rem; align-items: baseline; padding: .375rem 0; font-weight: 400; }
.choice input { width: auto; margin: 0; }
.boxes, .hints { margin: 0; padding: 0; list-style: none; }
.boxes { padding-left: 1.5rem; }
.part { padding-left: 1.5rem; }
.hints { margin: -.75rem 0 1rem; }
.more { margin-top: 1rem; }
code { font-size: .875rem; }
select:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem { color: var(--much); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--dim); font-size: .875rem; }
footer nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: .5rem; }
@media (max-width: 30rem) { .all { padding: 1.25rem .75rem 2rem; } .list > li, .incident { padding: .875rem; } h1 { font-size: 1.5rem; } .bars { height: 1.75rem; } }
@media (forced-colors: active) { .bars { forced-color-adjust: none; } }
`
}
