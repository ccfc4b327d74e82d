const nameWidth = 30
const columnWidth = 8

/** Prints one line of a table: a name and its columns, to the right. Lines appear as they are measured. */
export function printLine(name: string, columns: readonly string[]): void {
  console.log(`  ${name.padEnd(nameWidth)}${columns.map((column) => column.padStart(columnWidth)).join('')}`)
}
