/**
 * The parts of the documentation page beside the viewer's own files. Everything is served from here, nothing from
 * elsewhere.
 */
import { documentationClientId } from '../domain/access/oauth-client.ts'
import type { Language } from '../wording/language.ts'
import { pageText } from '../wording/texts.ts'

/** The reader speaks English, so does the page around the guide. */
export function documentationPage(language: Language): string {
  const description = '<a href="../swagger.json">swagger.json</a>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Latarnik API</title>
<link rel="icon" href="./favicon-32x32.png">
<link rel="stylesheet" href="./swagger-ui.css">
<link rel="stylesheet" href="./page.css">
</head>
<body>
<noscript lang="${language}">${pageText('documentation_needs_script', language, { description })}</noscript>
<main id="reader"></main>
<script src="./swagger-ui-bundle.js"></script>
<script src="./start.js"></script>
</body>
</html>
`
}

/**
 * Follows the user's light or dark mode, logs in through the same form as other applications, and names the viewer's
 * unnamed controls.
 */
export const startScript = `(function () {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const paint = function () { document.documentElement.classList.toggle('dark-mode', dark.matches) }
  paint()
  dark.addEventListener('change', paint)

  const wrap = function (change) {
    return function (Original, system) {
      return function (props) { return change(system.React, Original, props) }
    }
  }

  // The keyboard starts at the username, stays inside, leaves with Escape and is back where it was.
  const inside = function (event) {
    const box = document.querySelector('.dialog-ux .modal-ux')
    if (box === null) return
    if (event.key === 'Escape') box.querySelector('.close-modal').click()
    if (event.key !== 'Tab') return
    const stops = Array.from(box.querySelectorAll('a[href], button, input')).filter(function (stop) { return stop.offsetParent !== null })
    const edges = event.shiftKey ? [stops[0], stops[stops.length - 1]] : [stops[stops.length - 1], stops[0]]
    if (document.activeElement !== edges[0]) return
    edges[1].focus()
    event.preventDefault()
  }
  const dialog = function (React, Original, props) {
    const opener = React.useRef(document.activeElement)
    React.useEffect(function () {
      const box = document.querySelector('.dialog-ux .modal-ux')
      box.setAttribute('role', 'dialog')
      box.setAttribute('aria-modal', 'true')
      box.setAttribute('aria-label', box.querySelector('h3').textContent)
      box.querySelector('.close-modal').setAttribute('aria-label', 'Close')
      for (const [id, name, kept] of [['basic-username', 'Username', 'username'], ['basic-password', 'Password', 'current-password'], ['bearer-value', 'Token', 'off']]) {
        const input = document.getElementById('auth-' + id)
        if (input === null) continue
        input.setAttribute('aria-label', name)
        input.setAttribute('autocomplete', kept)
      }
      const first = box.querySelector('input') || box.querySelector('.close-modal')
      first.focus()
      document.addEventListener('keydown', inside)
      return function () {
        document.removeEventListener('keydown', inside)
        opener.current.focus()
      }
    }, [])
    return React.createElement(Original, props)
  }
  // One of the two flows suffices here, the better.
  const oauth = function (React, Original, props) {
    return props.schema.get('flow') === 'implicit' ? null : React.createElement(Original, props)
  }
  const text = function (React, Original, props) {
    return React.createElement(Original, Object.assign({ 'aria-label': 'Request body' }, props))
  }

  // The login stays above what an address leads to: the browser knows how high it is.
  const lead = function (_original, system) {
    return function (element) {
      element.scrollIntoView()
      system.layoutActions.clearScrollTo()
    }
  }

  window.onload = function () {
    const reader = SwaggerUIBundle({
      url: '../swagger.json', dom_id: '#reader', deepLinking: true, filter: true,
      docExpansion: 'none', tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null,
      plugins: [{
        wrapComponents: { authorizationPopup: wrap(dialog), oauth2: wrap(oauth), TextArea: wrap(text) },
        statePlugins: { layout: { wrapActions: { scrollToElement: lead } } },
      }],
    })
    reader.initOAuth({ clientId: '${documentationClientId}', usePkceWithAuthorizationCodeGrant: true })
  }
})()
`

export const returnPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Latarnik API</title></head>
<body><script src="./oauth2-redirect.js"></script></body>
</html>
`

/**
 * Completes the viewer's own style. The login stays in reach and covers nothing, chapters open, the keyboard focus is
 * visible, and phones do not scroll sideways. Every text has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3). Login
 * options that do not concern this server are hidden.
 */
export const pageStyle = `html { scroll-padding-top: 5.5rem; }
body { margin: 0; }
html.dark-mode body { background: #1c2022; }
.swagger-ui > div { display: flex; flex-direction: column; }
.swagger-ui .scheme-container { order: -1; position: sticky; top: 0; z-index: 2; margin: 0; padding: .75rem 0; }
.swagger-ui .info { margin: 1.5rem 0; overflow-wrap: anywhere; }
.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info pre { overflow-x: auto; }
.swagger-ui details { margin: .5rem 0; }
.swagger-ui summary { font-size: 1rem; font-weight: 600; cursor: pointer; }
.swagger-ui .btn.authorize { color: #14724a; border-color: #14724a; }
.swagger-ui .btn.authorize svg { fill: #14724a; }
html.dark-mode .swagger-ui .btn.authorize { color: #5fd6a0; border-color: #5fd6a0; }
html.dark-mode .swagger-ui .btn.authorize svg { fill: #5fd6a0; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f66b1; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14724a; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5300; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .opblock.opblock-deprecated .opblock-summary-method { background: #595f69; }
.swagger-ui .btn.execute { background: #1f66b1; border-color: #1f66b1; }
.swagger-ui .download-contents, .swagger-ui .copy-to-clipboard { background: #595f69; }
.swagger-ui .info .title small { background: #595f69; }
.swagger-ui .info .title small.version-stamp { background: #4c6b02; }
html.dark-mode .swagger-ui .opblock.opblock-put .opblock-section-header { background: #3c2a1e; }
html:not(.dark-mode) .swagger-ui .info a { color: #1f66b1; }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e; }
html:not(.dark-mode) .swagger-ui .parameter__name.required::after, html:not(.dark-mode) .swagger-ui .parameter__name.required span { color: #b3261e; }
html:not(.dark-mode) .swagger-ui .parameter__in { color: #595f69; }
.swagger-ui textarea.body-param__text { min-height: 9rem; height: 9rem; }
.swagger-ui .scope-def, .swagger-ui .wrapper:has(> label[for^="client_secret"]), .swagger-ui .auth-container:not(:has(h4)) { display: none; }
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 1.125rem; overflow-wrap: anywhere; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 0; }
  .swagger-ui .wrapper, .swagger-ui .opblock-body { padding-inline: .5rem; overflow-wrap: anywhere; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; height: auto; }
  .swagger-ui table.responses-table, .swagger-ui table.responses-table > tbody, .swagger-ui table.responses-table > tbody > tr,
  .swagger-ui table.responses-table > tbody > tr > td { display: block; width: auto; max-width: 100%; padding-inline: 0; }
  .swagger-ui table.responses-table > thead, .swagger-ui .response-col_links { display: none; }
  .swagger-ui table.headers, .swagger-ui .parameters-container table { display: block; overflow-x: auto; }
  .swagger-ui .highlight-code, .swagger-ui .microlight { max-width: 100%; overflow-x: auto; }
}
.swagger-ui :focus-visible { outline: 3px solid #2f7fb0; outline-offset: 2px; }
`
