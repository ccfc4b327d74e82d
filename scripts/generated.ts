import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

function written(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes a generated document of docs/; with --check it only compares. */
export function keepGenerated(name: string, text: string, command: string): void {
  const file = fileURLToPath(new URL(`../docs/${name}`, import.meta.url))
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (written(file) !== text) {
    console.error(`docs/${name} is not what the code says: run \`${command}\` and commit it.`)
    process.exitCode = 1
  }
}

/** A table of Markdown; what would break a cell is escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
