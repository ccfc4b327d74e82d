/** The two ways to ask for a part of a text; the first is the one that the OpenAPI document lists. */
const containments = ['.contains', '~'] as const

/** The path of the field whose text is to contain the value; null for the name of any other filter. */
export function containedPath(name: string): string | null {
  const suffix = containments.find((one) => name.endsWith(one))
  return suffix === undefined ? null : name.slice(0, -suffix.length)
}

/** The documented name of the containment filter of a field. */
export function containmentName(path: string): string {
  return `${path}${containments[0]}`
}
