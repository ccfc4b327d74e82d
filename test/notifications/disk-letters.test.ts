import { expect, onTestFinished, test } from 'vitest'
import { diskLetters } from '../../src/notifications/disk-letters.ts'
import { startMailbox } from '../support/mailbox.ts'

const hour = 3_600_000

async function letters(language: 'en' | 'pl' = 'en', smtpUrl?: string) {
  const mailbox = await startMailbox()
  onTestFinished(() => mailbox.stop())
  let now = Date.parse('2026-11-28T15:35:00Z')
  const warnings: string[] = []
  const tell = diskLetters({
    mail: { smtpUrl: smtpUrl ?? mailbox.url, from: 'Latarnik <latarnik@example.com>', outboxDirectory: '/nowhere' },
    administratorContact: { addresses: ['one@example.com', 'two@example.com'], language },
    clock: { now: () => now },
    log: { warn: (_facts, text) => void warnings.push(text) },
  })
  const told = () => mailbox.mails.splice(0).map(({ to, parsed }) => `${to}: ${parsed.subject}`)
  return { tell, told, mailbox, warnings, pass: (ms: number) => (now += ms) }
}

test('a full disk and its end are told to each administrator once, without the database', async () => {
  const { tell, told, mailbox, pass } = await letters()
  await tell(true)
  await tell(true)
  expect(mailbox.mails[0]?.parsed.text).toContain(`since 2026-11-28 15:35:00 +00:00, says the process ${process.pid}`)
  const full = [
    'one@example.com: The disk of the database is FULL',
    'two@example.com: The disk of the database is FULL',
  ]
  expect(told()).toEqual(full)
  pass(60_000)
  await tell(false)
  await tell(false)
  expect(mailbox.mails[0]?.parsed.text).toContain('since 2026-11-28 15:36:00 +00:00. The disk of the database was full')
  const room = 'The disk of the database has room again'
  expect(told()).toEqual([`one@example.com: ${room}`, `two@example.com: ${room}`])
  // One that is nearly full would tell all day.
  await tell(true)
  await tell(false)
  expect(told()).toEqual([])
  pass(hour)
  await tell(true)
  expect(told()).toEqual(full)
})

test('a mail server that is away is logged, and the end is told all the same', async () => {
  const { tell, warnings } = await letters('pl', 'smtp://127.0.0.1:1')
  await tell(true)
  await tell(false)
  expect(warnings).toEqual(Array(4).fill('The mail about the full disk was not sent'))
})

test('the mails are in the language of the administrator', async () => {
  const { tell, told } = await letters('pl')
  await tell(true)
  await tell(false)
  expect(told().filter((line) => line.startsWith('one@'))).toEqual([
    'one@example.com: Dysk bazy danych jest PEŁNY',
    'one@example.com: Na dysku bazy danych znów jest miejsce',
  ])
})
