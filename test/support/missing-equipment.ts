/**
 * Lines of the program's log that name missing equipment of the machine. The README asks neither for the right to ping
 * nor for a ping program, so such a line is no complaint.
 */
export function namesMissingEquipment(facts: Readonly<Record<string, unknown>>): boolean {
  return facts['ping'] === 'none'
}

/** A log without those lines. */
export function withoutMissingEquipment(log: string): string {
  const isKept = (line: string): boolean => {
    const facts = parsedLine(line)
    return facts === null || !namesMissingEquipment(facts)
  }
  return log.split('\n').filter(isKept).join('\n')
}

/** Null for what is no line of the log. */
export function parsedLine(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
}
