import { type Html, html } from '../../src/wording/html.ts'
import { renderMarkdown } from './markdown.ts'
import { type OpenApi, type Placed, resolved, type Schema, typeOf } from './openapi.ts'
import type { Page, Section } from './pages.ts'

function table(head: readonly string[], rows: readonly Html[]): Html {
  const cells = head.map((text) => html`<th scope="col">${text}</th>`)
  return html`<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function markdown(text: string | undefined): Html {
  return renderMarkdown(text ?? '').content
}

/** Headers, the same for all operations, are described on the first page. */
function parametersOf({ parameters = [] }: Placed): Html | null {
  const own = parameters.filter((parameter) => parameter.$ref === undefined && parameter.in !== 'header')
  if (own.length === 0) return null
  const rows = own.map(
    (parameter) =>
      html`<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required === true ? ', required' : ''}</td><td>${typeOf(parameter.schema ?? {})}</td><td>${markdown(parameter.description)}</td></tr>`,
  )
  return html`<h3 class="part">Parameters</h3>${table(['Name', 'In', 'Type', 'Meaning'], rows)}`
}

function fieldsOf(schema: Schema, document: OpenApi): Html | null {
  const { properties = {}, required = [] } = resolved(schema, document)
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code></td><td>${typeOf(field)}${required.includes(name) ? ', required' : ''}</td><td>${markdown(resolved(field, document).description ?? field.description)}</td></tr>`,
  )
  return rows.length === 0 ? null : table(['Field', 'Type', 'Meaning'], rows)
}

function bodyOf({ requestBody }: Placed, document: OpenApi): Html | null {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content === undefined) return null
  const { schema, example } = content
  const shown = example === undefined ? null : JSON.stringify(example, null, 2)
  return html`<h3 class="part">Request body</h3><p><code>${type}</code></p>
${schema === undefined ? null : fieldsOf(schema, document)}${shown === null ? null : html`<pre tabindex="0"><code>${shown}</code></pre>`}`
}

/** Answers that most operations share are on the first page. */
function answersOf({ responses }: Placed): Html | null {
  const own = Object.entries(responses).filter(([, answer]) => answer.$ref === undefined)
  const rows = own.map(([status, { description, content = {} }]) => {
    const [type, { schema } = {}] = Object.entries(content)[0] ?? []
    const body = schema === undefined ? (type ?? '') : typeOf(schema)
    return html`<tr><td>${status}</td><td>${body}</td><td>${markdown(description)}</td></tr>`
  })
  return rows.length === 0 ? null : html`<h3 class="part">Answers</h3>${table(['Status', 'Body', 'Meaning'], rows)}`
}

/** The title of a resource's page among pages of all kinds. */
const apiTitle = (tag: string): string => `API: ${tag}`

const headingOf = ({ method, path }: Placed): string => `${method.toUpperCase()} ${path}`

function operationHtml(operation: Placed, document: OpenApi): Html {
  const heading = headingOf(operation)
  return html`<h2 id="${operation.operationId}"><code><span class="method">${operation.method.toUpperCase()}</span> ${operation.path}</code> <a class="anchor" href="#${operation.operationId}" aria-label="Link to: ${heading}">#</a></h2>
<p><strong>${operation.summary}</strong>${operation.deprecated === true ? ' (deprecated)' : ''}</p>
${markdown(operation.description)}${parametersOf(operation)}${bodyOf(operation, document)}${answersOf(operation)}`
}

function sectionOf(operation: Placed): Section {
  const text = `${operation.summary}. ${operation.description ?? ''}`
  const heading = headingOf(operation)
  return { id: operation.operationId, heading, level: 2, text, found: [operation.summary, heading] }
}

/** The fields of the resource that carries the name of the tag. */
function resourceHtml(
  tag: string,
  document: OpenApi,
): { readonly content: Html; readonly sections: readonly Section[] } {
  const schema = document.components.schemas[tag]
  const fields = schema === undefined ? null : fieldsOf(schema, document)
  if (fields === null) return { content: html``, sections: [] }
  const content = html`<h2 id="fields">Fields <a class="anchor" href="#fields" aria-label="Link to: Fields">#</a></h2>${fields}`
  const text = Object.keys(schema?.properties ?? {}).join(' ')
  return { content, sections: [{ id: 'fields', heading: 'Fields', level: 2, text, found: [apiTitle(tag), 'Fields'] }] }
}

function tagPage(tag: OpenApi['tags'][number], operations: readonly Placed[], document: OpenApi): Page {
  const { content, sections } = resourceHtml(tag.name, document)
  const all = operations.map((operation) => operationHtml(operation, document))
  return {
    name: `api/${tag.name}`,
    language: 'en',
    title: tag.name,
    label: tag.name,
    content: html`<h1>${tag.name}</h1>${markdown(tag.description)}${content}${all}`,
    sections: [
      { id: '', heading: tag.name, level: 1, text: tag.description, found: [apiTitle(tag.name), ''] },
      ...sections,
      ...operations.map(sectionOf),
    ],
  }
}

/** The guide of the document, whose folded chapters become headings. */
function guideOf({ info }: OpenApi): string {
  return info.description.replaceAll(/<\/?details>/g, '').replaceAll(/<summary>(.*?)<\/summary>/g, '## $1')
}

function indexPage(document: OpenApi): Page {
  const rows = document.tags.map(
    ({ name, description }) =>
      html`<tr><td><a href="${name}.html">${name}</a></td><td>${markdown(description)}</td></tr>`,
  )
  const guide = renderMarkdown(guideOf(document))
  const resources = html`<h2 id="resources">Resources</h2>${table(['Resource', 'About'], rows)}`
  return {
    name: 'api/index',
    language: 'en',
    title: 'The HTTP API',
    label: 'Overview',
    content: html`<h1>The HTTP API</h1>
<p>Version ${document.info.version}. The running program has the same as an interactive page at <code>/v3/public/doc/</code> and as OpenAPI 3.1 at <code>/v3/public/swagger.json</code>.</p>
${resources}${guide.content}`,
    sections: [
      { id: '', heading: 'The HTTP API', level: 1, text: document.info.description.slice(0, 200) },
      { id: 'resources', heading: 'Resources', level: 2, text: document.tags.map(({ name }) => name).join(' ') },
      ...guide.sections,
    ],
  }
}

/** The pages of the HTTP API: an overview, and a page for each tag. */
export function referencePages(document: OpenApi): readonly Page[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
  const pages = document.tags.map((tag) =>
    tagPage(
      tag,
      operations.filter(({ tags }) => tags.includes(tag.name)),
      document,
    ),
  )
  return [indexPage(document), ...pages]
}
