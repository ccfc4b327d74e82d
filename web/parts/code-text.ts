import type { Call, WrittenCall } from '../api/calls.ts'

/** One call of the API. */
export interface ApiCall<Answer = unknown> extends Call<Answer> {
  /** Members that are secrets here, beside those whose names say so. */
  readonly secrets?: readonly string[]
}

const secretName = /password|secret|token|passphrase|private_key|credential|authorization|cookie|^code$/i

/** A line of headers that lets somebody in. */
const secretHeader = /^([\w-]*(?:authorization|cookie|token|secret|password|api-?key)[\w-]*)[ \t]*:.*$/gim

/** The password in `https://name:password@host`. */
const secretInAddress = /(\/\/[^/\s:@]*:)[^/\s@]+@/g

/** The body with a placeholder for each secret. A pair of a name and a value, such as a header, counts by its name. */
export function withoutSecrets(value: unknown, secrets: readonly string[] = []): unknown {
  if (typeof value === 'string')
    return value.replaceAll(secretHeader, '$1: SECRET').replaceAll(secretInAddress, '$1SECRET@')
  if (Array.isArray(value)) return value.map((part) => withoutSecrets(part, secrets))
  if (typeof value !== 'object' || value === null) return value
  const named = (value as { readonly name?: unknown }).name
  const isSecretPair = typeof named === 'string' && secretName.test(named) && 'value' in value
  const isSecret = (key: string) => secretName.test(key) || secrets.includes(key) || (isSecretPair && key === 'value')
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      typeof part === 'string' && part !== '' && isSecret(key)
        ? (isSecretPair ? String(named) : key).toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
        : withoutSecrets(part, secrets),
    ]),
  )
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

export function curlOf({ method, path, body }: WrittenCall, base: string): string {
  const lines = [`curl -X ${method} ${quoted(`${base}/v3${path}`)}`, `-H "Authorization: Bearer $TOKEN"`]
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`)
  }
  return lines.join(' \\\n  ')
}

/** YAML in its plainest form: texts are quoted as in JSON, which every reader of YAML takes. */
export function yamlOf(value: unknown, depth = 0): string {
  const space = '  '.repeat(depth)
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return value.map((part) => `\n${space}-${yamlOf(part, depth + 1)}`).join('')
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return ' {}'
    return entries.map(([key, part]) => `\n${space}${keyOf(key)}:${yamlOf(part, depth + 1)}`).join('')
  }
  return ` ${JSON.stringify(value ?? null)}`
}

/** Names that YAML would read as something else, such as `no` or `1`, are quoted. */
function keyOf(key: string): string {
  return /^[a-z][a-z0-9_]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/.test(key) ? key : JSON.stringify(key)
}
