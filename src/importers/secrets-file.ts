/** Variables as a file that a shell reads: `set -a; . ./secrets.env`. Those without a value are left for a person. */
export function environmentFile(secrets: ReadonlyMap<string, string>): string {
  return [...secrets].map(([name, value]) => (value === '' ? `# ${name}=\n` : `${name}=${quoted(value)}\n`)).join('')
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", () => "'\\''")}'`
}
