/** The address of the API from that of an installation, which may end with `/v3` already. */
export function baseOf(server: string): string {
  return `${server.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3`
}

/** Lists that one parameter holds, separated by commas; other lists repeat their parameter. */
const commaSeparated = new Set(['fields', 'embed', 'sort'])

function parametersOf(query: Readonly<Record<string, unknown>>): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    const values = Array.isArray(value) ? value : [value]
    if (commaSeparated.has(name)) parameters.set(name, values.join(','))
    else for (const one of values) parameters.append(name, String(one))
  }
  return parameters
}

export interface Parameters {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** `/services/{_id}` with its parameters. */
export function pathWith(template: string, { path = {}, query = {} }: Parameters): string {
  const filled = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(path[name] ?? '')
    // An address would lose them, and name another object.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${template} needs ${name}`)
    return encodeURIComponent(value)
  })
  const text = parametersOf(query).toString()
  return text === '' ? filled : `${filled}?${text}`
}
