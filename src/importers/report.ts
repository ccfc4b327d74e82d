/** The report of an import: the objects that it carried, those that it changed on the way, and those that it left. */

export type ImportOutcome = 'carried' | 'changed' | 'left'

/** An object of the other monitor. */
export interface Reported {
  /** `monitor`, `notification` and the like, in the words of the other monitor. */
  readonly what: string
  readonly name: string
  readonly outcome: ImportOutcome
  /** `services.shop`; null for one that was left. */
  readonly object: string | null
  /** Sentences for a person: what is not the same, and why. */
  readonly notes: readonly string[]
}

export interface ImportReport {
  readonly product: string
  readonly mark: string
  readonly items: readonly Reported[]
  /** Sentences about the whole. */
  readonly notes: readonly string[]
  /** The variables to set before `latarnik apply`. */
  readonly variables: readonly string[]
}

const titles: Readonly<Record<ImportOutcome, string>> = {
  left: 'Not carried',
  changed: 'Carried with changes',
  carried: 'Carried as it was',
}

const order = ['left', 'changed', 'carried'] as const

function of({ items }: ImportReport, outcome: ImportOutcome): readonly Reported[] {
  return items.filter((item) => item.outcome === outcome)
}

/** One line with the sums. */
function summaryOf(report: ImportReport): string {
  const [left, changed, carried] = order.map((outcome) => of(report, outcome).length)
  return `${carried} carried as they were, ${changed} with changes, ${left} not.`
}

/** For a terminal: everything that needs a look. */
export function reportLines(report: ImportReport): readonly string[] {
  const needing = [...of(report, 'left'), ...of(report, 'changed')]
  return [
    ...report.notes,
    ...needing.flatMap(({ what, name, outcome, notes }) => [
      `${outcome === 'left' ? '✗' : '~'} ${what} “${oneLine(name)}”`,
      ...notes.map((note) => `    ${oneLine(note)}`),
    ]),
    ...(report.variables.length === 0 ? [] : ['Set these variables before `latarnik apply`:']),
    ...report.variables.map((name) => `    ${name}`),
    summaryOf(report),
  ]
}

/** Names come from elsewhere: no control characters reach the terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

export function reportJson({ product, mark, items, notes, variables }: ImportReport): string {
  return `${JSON.stringify({ product, managed_by: mark, notes, variables, items }, null, 2)}\n`
}

/** A text that Markdown leaves as it is. */
function plain(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_[\]<>#|]/g, (sign) => `\\${sign}`)
}

function markdownLines({ what, name, object, notes }: Reported): readonly string[] {
  const to = object === null ? '' : ` → \`${object}\``
  return [`- **${plain(name)}** (${what})${to}`, ...notes.map((note) => `  - ${plain(note)}`)]
}

export function reportMarkdown(report: ImportReport): string {
  const sections = order.flatMap((outcome) => {
    const items = of(report, outcome)
    return items.length === 0 ? [] : ['', `## ${titles[outcome]} (${items.length})`, ...items.flatMap(markdownLines)]
  })
  const variables =
    report.variables.length === 0 ? [] : ['', '## Variables to set', ...report.variables.map((name) => `- \`${name}\``)]
  return [
    `# Import from ${report.product}`,
    '',
    summaryOf(report),
    ...report.notes.map((note) => `- ${plain(note)}`),
    ...sections,
    ...variables,
    '',
  ].join('\n')
}
