import { expect, test, vi } from 'vitest'
import { notices as englishNotices } from '../../src/wording/en/notices.ts'
import { pages as englishPages } from '../../src/wording/en/pages.ts'
import { reports as english } from '../../src/wording/en/reports.ts'
import { notices as polishNotices } from '../../src/wording/pl/notices.ts'
import { pages as polishPages } from '../../src/wording/pl/pages.ts'
import { reports as polish } from '../../src/wording/pl/reports.ts'

type Catalogue<Texts> = Readonly<Record<'en' | 'pl', Texts>>

interface PartWords {
  readonly states: Readonly<Record<'ok' | 'failure', string>>
  readonly seenBy: (failed: number, all: number) => string
}

interface ReportWords extends Readonly<Record<'noData' | 'notMonitored' | 'longest' | 'failures', string>> {
  readonly corrections: (count: number) => string
  readonly checksText: (ok: string, error: string, unknown: string) => string
}

// The words of the console belong to a page.
vi.stubGlobal('document', { documentElement: { dataset: {} } })
vi.stubGlobal('addEventListener', () => undefined)
const ofConsole = (path: string) => import(new URL(`../../web/${path}`, import.meta.url).href)
const { partWords } = (await ofConsole('parts/words.ts')) as { readonly partWords: Catalogue<PartWords> }
const { reportWords } = (await ofConsole('screens/reports/words.ts')) as {
  readonly reportWords: Catalogue<ReportWords>
}

/** The PDF of a report and its screen are read side by side. */
test.each([
  ['en', english, reportWords.en],
  ['pl', polish, reportWords.pl],
] as const)('the PDF and the screen of a report use the same words: %s', (_, { labels }, screen) => {
  expect(labels.unknown).toBe(screen.noData)
  expect(labels.paused).toBe(screen.notMonitored)
  expect(labels.longestFailure).toBe(screen.longest)
  expect(labels.failures).toBe(screen.failures)
})

test('a state is called the same in the list and in the PDF; a correction and a result too', () => {
  expect(polish.labels.ok).toBe(partWords.pl.states.ok)
  expect(polish.labels.failure).toBe(partWords.pl.states.failure)
  for (const label of [polish.labels.corrections, polish.rules.corrections.label])
    expect(reportWords.pl.corrections(2)).toContain(label.toLowerCase())
  expect([polish.labels.okChecks, polish.labels.errorChecks, polish.labels.unknownChecks]).toEqual([
    'Udane',
    'Nieudane',
    'Bez wyniku',
  ])
  expect(reportWords.pl.checksText('1', '2', '3')).toBe('1 udanych, 2 nieudanych, 3 bez wyniku')
})

test.each([
  [1, 'stwierdziła to 1 z 7 stacji'],
  [3, 'stwierdziły to 3 z 7 stacji'],
  [5, 'stwierdziło to 5 z 7 stacji'],
])('%i stations saw it, in the Polish form of the number', (failed, text) => {
  expect(partWords.pl.seenBy(failed, 7)).toBe(text)
})

const { failureWords } = (await ofConsole('screens/failure/words.ts')) as {
  readonly failureWords: Catalogue<{ readonly roundOf: (time: string) => string }>
}

test.each([
  ['en', englishNotices, failureWords.en],
  ['pl', polishNotices, failureWords.pl],
] as const)('the link of a mail has the name of the page that it opens: %s', (_, { labels }, screen) => {
  expect(screen.roundOf('12:00')).toMatch(new RegExp(`^${labels.analysis} `))
})

test.each([
  ['screens/account/words.ts', 'accountWords'],
  ['screens/account/people-words.ts', 'peopleWords'],
  ['screens/admin/words.ts', 'adminWords'],
])('one logs in with what %s calls the username', async (path, name) => {
  const { [name]: words } = (await ofConsole(path)) as Record<string, Catalogue<{ readonly username: string }>>
  expect([words?.en.username, words?.pl.username]).toEqual([englishPages.username, polishPages.username])
})
