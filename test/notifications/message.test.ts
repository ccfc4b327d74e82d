import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NoticeCondition } from '../../src/domain/notification/notice.ts'
import { oneLine } from '../../src/domain/text/one-line.ts'
import { wordNotice } from '../../src/notifications/message.ts'
import { periodHtml } from '../../src/notifications/periodic-html.ts'
import { wordPeriod } from '../../src/notifications/periodic-text.ts'
import { withoutPassword } from '../../src/notifications/plain-text.ts'
import type { Reader } from '../../src/notifications/reader.ts'
import { formatDuration, formatMoment } from '../../src/wording/moments.ts'
import { failureAt, failureNotice, noticeCheck, recoveryNotice } from '../support/notices.ts'

const polish: Reader = {
  language: 'pl',
  zone: 'Europe/Warsaw',
  publicUrl: 'https://watch.example.com/',
  diagnose: (id) =>
    id === 2001 ? { name: 'Połączenie odrzucone', diagnosis: 'Nikt nie słucha na tym porcie.' } : null,
}

const english: Reader = {
  ...polish,
  language: 'en',
  zone: 'America/New_York',
  diagnose: (id) => (id === 2001 ? { name: 'Connection refused', diagnosis: 'Nothing listens on this port.' } : null),
}

describe('a heartbeat', () => {
  const late = failureNotice({
    service: { id: 12, name: 'Backup', address: '', type_id: 'heartbeat' },
    checks: [
      noticeCheck({
        ...{ sensor_id: 0, sensor_name: 'Heartbeat', city: '', country: '', response_time: null, artifact_ids: [] },
        ...{ error_type_id: 8201, error_message: 'no report that was expected at 2026-11-21T10:13:00Z' },
      }),
    ],
  })

  test.each([
    [polish, 'Co zgłosiło zadanie:', 'Nie przyszło zgłoszenie oczekiwane 2026-11-21 11:13:00 +01:00'],
    [english, 'What the job reported:', 'No report came that was expected at 2026-11-21 05:13:00 -05:00'],
  ])('is told in the language and the zone of the reader, and no sensor is named', (reader, title, sentence) => {
    const { text } = wordNotice(late, 'email', reader)
    expect(text).toContain(title)
    expect(text).toContain(sentence)
    expect(text).not.toMatch(/sens|no report that|T10:13/i)
    expect(wordNotice(late, 'sms', reader).text).not.toMatch(/sens/i)
  })
})

test('a good check that did not meet assertions of severity degraded is told with what came', () => {
  const failed_assertions =
    'assertion 1: expected json $.queue less 500, came 740\nassertion 2: expected body contains "x", came "y"'
  const good = { result: 'ok', error_type_id: null, error_message: null, failed_assertions } as const
  const degraded = { reasons: ['assertion'], sinceAt: failureAt, endedAt: null } as const
  const { text } = wordNotice(
    failureNotice({ condition: 'degraded', degraded, checks: [noticeCheck(good)] }),
    'email',
    english,
  )
  expect(text).toContain(`OK, 12 ms\n    ${failed_assertions.replace('\n', '; ')}\n`)
})

describe('a plain e-mail', () => {
  test('of a failure says what, since when, where it was seen and what it means', () => {
    const { subject, text, attachment } = wordNotice(failureNotice(), 'email', polish)
    expect(subject).toBe('Sklep: AWARIA: Połączenie odrzucone')
    expect(attachment).toBeNull()
    expect(text).toBe(`AWARIA: Sklep
http://shop.example.com/

Od:       2026-11-21 12:13:00 +01:00
Przedtem: działała od 2026-11-20 12:13:00 +01:00
Widzi ją: 2 z 3 stacji

Co zobaczyły stacje:
  Local 1 (Warszawa, Polska): BŁĄD, 12 ms, Połączenie odrzucone
    connect ECONNREFUSED 127.0.0.1:8000
  Local 2: BŁĄD, 12 ms, Połączenie odrzucone
    connect ECONNREFUSED 127.0.0.1:8000

Co to oznacza:
  Połączenie odrzucone: Nikt nie słucha na tym porcie.

Typ:    HTTP
Grupa:  Default
Usługa: https://watch.example.com/services/12
Runda:  https://watch.example.com/services/12/analyses/176372358000000

Czasy podano w strefie Europe/Warsaw.
`)
  })

  test('of a recovery says how long the failure lasted, in the language and the zone of the account', () => {
    const { subject, text } = wordNotice(recoveryNotice(), 'email', english)
    expect(subject).toBe('Sklep: WORKS AGAIN after 5 min 3 s')
    expect(text).toContain('Since:          2026-11-21 06:18:03 -05:00\n')
    expect(text).toContain('Failure lasted: 5 min 3 s\n')
    expect(text).toContain('Before:         failure since 2026-11-21 06:13:00 -05:00\n')
    expect(text).toContain('Local 2 (Warszawa, Polska): OK, 12 ms\n')
    expect(text).not.toContain('What it means')
  })

  test('of a step of an escalation says which one it is, and how long the failure has lasted', () => {
    const escalation = { id: 4, name: 'Dyżur\nnocny', step: 2, steps: 3, repeat: 0 }
    const facts = failureNotice({ escalation, durationSeconds: 600 })
    expect(wordNotice(facts, 'email', polish).text).toContain(
      'Eskalacja: Dyżur nocny, krok 2 z 3, dopóki ktoś nie potwierdzi awarii\n',
    )
    expect(wordNotice(facts, 'email', polish).text).toContain('Trwa:      10 min\n')
    const again = failureNotice({ escalation: { ...escalation, repeat: 5 } })
    expect(wordNotice(again, 'email', english).text).toContain(
      'step 2 of 3, until somebody acknowledges the failure (reminder 5)\n',
    )
  })

  test('of the first failure of a new service has no earlier state', () => {
    expect(wordNotice(failureNotice({ previous: null }), 'email', english).text).toContain('a new service')
  })

  test('of a pause names its reason', () => {
    const facts = failureNotice({ condition: 'pause', checks: [], analysis_id: null, pauseReason: 'user' })
    const { subject, text } = wordNotice(facts, 'email', english)
    expect(subject).toBe('Sklep: MONITORING STOPPED')
    expect(text).toContain('stopped by a user')
    expect(text).not.toContain('What the stations saw')
    expect(text).not.toContain('Seen by')
  })

  test('names the reason that most sensors saw', () => {
    const checks = [
      noticeCheck({ error_type_id: 1001 }),
      noticeCheck({ sensor_id: 2 }),
      noticeCheck({ sensor_id: 3 }),
      noticeCheck({ sensor_id: 4, result: 'unknown', error_type_id: 1001 }),
      noticeCheck({ sensor_id: 5, result: 'unknown', error_type_id: 1001 }),
    ]
    expect(wordNotice(failureNotice({ checks }), 'email', english).subject).toBe('Sklep: FAILURE: Connection refused')
  })

  test('of an unknown error type still says what the sensors saw', () => {
    const checks = [noticeCheck({ error_type_id: 4242 })]
    const { subject, text } = wordNotice(failureNotice({ checks }), 'email', english)
    expect(subject).toBe('Sklep: FAILURE')
    expect(text).toContain('ECONNREFUSED')
  })

  test.each<NoticeCondition>(['failure', 'failure_continuation', 'recovery', 'pause', 'silent_failure'])(
    'of %s leaves no placeholder, no null and no undefined in either language',
    (condition) => {
      for (const reader of [polish, english]) {
        for (const facts of [failureNotice({ condition }), recoveryNotice({ condition, pauseReason: 'novel' })]) {
          for (const channel of ['email', 'email_short', 'email_extended', 'email_dedicated']) {
            const { subject, text } = wordNotice(facts, channel, reader)
            expect(`${subject}\n${text}`).not.toMatch(/[{}]|undefined|null|NaN/)
          }
        }
      }
    },
  )
})

describe('a notice after quiet hours', () => {
  const failures = [
    { startedAt: failureAt - 3_600_000, endedAt: failureAt - 3_297_000 },
    { startedAt: failureAt, endedAt: null },
  ]
  const notice = failureNotice({ condition: 'silent_failure', failures })

  test('names every failure with its times, in the zone of the reader', () => {
    expect(wordNotice(notice, 'email', english).text).toContain(
      `Failures in quiet hours:
  2026-11-21 05:13:00 -05:00 – 2026-11-21 05:18:03 -05:00 (5 min 3 s)
  2026-11-21 06:13:00 -05:00, still lasts
`,
    )
    expect(wordNotice(notice, 'email', polish).text).toContain('Awarie w czasie ciszy:')
  })

  test('carries them for programs too', () => {
    const { attachment } = wordNotice(notice, 'email_dedicated', english)
    expect(JSON.parse(String(attachment?.content ?? ''))).toMatchObject({
      notification_condition_id: 'silent_failure',
      failures: [
        { start_time: '2026-11-21T10:13:00Z', end_time: '2026-11-21T10:18:03Z' },
        { start_time: '2026-11-21T11:13:00Z', end_time: null },
      ],
    })
  })
})

describe('the other kinds of e-mail', () => {
  test('a short one is one line', () => {
    const { text } = wordNotice(failureNotice(), 'email_short', polish)
    expect(text).toBe('Sklep: AWARIA: Połączenie odrzucone (2026-11-21 12:13:00 +01:00, 2 z 3 stacji)\n')
  })

  test('an extended one has every check and the addresses of what was kept', () => {
    const { text } = wordNotice(failureNotice(), 'email_extended', english)
    const page = 'https://watch.example.com/services/12/analyses/176372358000000'
    expect(text).toContain('Local 3 (Warszawa, Polska): OK')
    expect(text).toContain(`Details: ${page}#sensor-3`)
    expect(text).toContain(`Kept data (Content, Screenshot): ${page}#sensor-1`)
    expect(text).not.toMatch(/Kept data.*#sensor-3/)
  })

  test('a dedicated one has JSON with the names and times of the API', () => {
    const { attachment } = wordNotice(recoveryNotice(), 'email_dedicated', english)
    expect(attachment?.contentType).toBe('application/json')
    expect(JSON.parse(String(attachment?.content ?? ''))).toMatchObject({
      notification_condition_id: 'recovery',
      service: { id: 12, name: 'Sklep' },
      since: '2026-11-21T11:18:03Z',
      previous: { status: 'failure', start_time: '2026-11-21T11:13:00Z' },
      duration: 303,
      checks: [{ sensor_id: 1, result: 'ok' }, { sensor_id: 2 }],
      links: { service: 'https://watch.example.com/v3/services/12' },
    })
  })
})

describe('what strangers wrote', () => {
  test('never breaks out of its line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const service = { id: 1, name: text, address: text, type_id: 'ping' }
        const checks = [noticeCheck({ error_message: text, sensor_name: text })]
        const plain = wordNotice(failureNotice({ service, group: { id: 1, name: text }, checks }), 'email', english)
        const usual = wordNotice(failureNotice({ checks: [noticeCheck()] }), 'email', english)
        expect(plain.subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(plain.subject.length).toBeLessThan(600)
        expect(plain.text.split('\n')).toHaveLength(usual.text.split('\n').length)
      }),
    )
  })

  test('is cut at whole characters', () => {
    expect(oneLine('żółć😀😀', 5)).toBe('żółć…')
    expect(oneLine('  a\r\n\tb  ', 5)).toBe('a b')
  })

  test('a password in the address stays out of the mail', () => {
    const service = { id: 1, name: 'x', address: 'user:secret@shop.example.com/a', type_id: 'http' }
    const { text, attachment } = wordNotice(failureNotice({ service }), 'email_dedicated', english)
    expect(text).toContain('http://user:***@shop.example.com/a')
    expect(text + attachment?.content).not.toContain('secret')
    expect(withoutPassword('shop.example.com/a:b@c')).toBe('shop.example.com/a:b@c')
    expect(withoutPassword('u:p@ss@h')).toBe('u:***@h')
  })
})

describe('moments and durations', () => {
  test('the hour that happens twice is told apart by its offset', () => {
    expect(formatMoment(Date.UTC(2026, 9, 25, 0, 30), 'Europe/Warsaw')).toBe('2026-10-25 02:30:00 +02:00')
    expect(formatMoment(Date.UTC(2026, 9, 25, 1, 30), 'Europe/Warsaw')).toBe('2026-10-25 02:30:00 +01:00')
    expect(formatMoment(Date.UTC(2026, 9, 25, 0, 0), 'UTC')).toBe('2026-10-25 00:00:00 +00:00')
  })

  test.each([
    [0, '0 s'],
    [59.6, '1 min'],
    [303, '5 min 3 s'],
    [3600, '1 h'],
    [90_061, '1 d 1 h 1 min'],
    [86_401, '1 d 1 s'],
  ])('%d s is %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text)
  })
})

describe('the HTML of a mail', () => {
  /** The text that a person reads. */
  function read(html = ''): string {
    return html
      .replace(/<style>.*?<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
  }

  test.each(['failure', 'failure_continuation', 'recovery', 'silent_failure'] as const)(
    'says of a %s all that the text says',
    (condition: NoticeCondition) => {
      const failures = [{ startedAt: failureAt, endedAt: failureAt + 60_000 }]
      const facts = condition === 'recovery' ? recoveryNotice() : failureNotice({ condition, failures })
      for (const channelId of ['email', 'email_extended']) {
        const { text, html } = wordNotice(facts, channelId, polish)
        const addresses = [...(html ?? '').matchAll(/href="([^"]*)"/g)].map(([, address]) => address)
        const shown = `${read(html)} ${addresses.join(' ')}`
        for (const line of text.split('\n')) {
          for (const part of line.split(/:\s+/)) expect(shown).toContain(part.replace(/[:\s]+$/, '').trim())
        }
      }
    },
  )

  test('stays text whatever strangers named their things', () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\'<a href="javascript:alert(1)">'
    const check = noticeCheck({ sensor_name: evil, city: evil, error_message: evil })
    const service = { id: 12, name: evil, address: evil, type_id: 'http' }
    const facts = failureNotice({ service, group: { id: 1, name: evil }, checks: [check] })
    const { html = '' } = wordNotice(facts, 'email_extended', polish, {
      ...{ contentType: 'image/png', content: Buffer.from('x'), sensorId: check.sensor_id },
    })
    expect(html).not.toMatch(/<script|<img src=x|<a href="javascript|onerror=alert\(1\)>/)
    expect(read(html)).toContain('alert(1)</script>')
    const tags = [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name)
    expect(new Set(tags)).toEqual(
      new Set('html head meta title style body div table tr td h1 h2 p b span a img'.split(' ')),
    )
  })

  test('of a period stays text, too', () => {
    const evil = '</td><script>alert(1)</script><img src=x onerror=alert(1)>"&amp;'
    const level = { ok: 60, failure: 60, paused: 0, availability: 50, failuresCount: 1, longestFailure: 60 }
    const failures = [{ from: 0, to: 60, seconds: 60 }]
    const service = { ...level, id: 1, name: evil, isArchived: true, failures }
    const worded = wordPeriod(
      {
        ...{ frequency: 'daily', group: { id: 1, name: evil }, fromAt: failureAt, toAt: failureAt + 86_400_000 },
        ...{ together: level, services: [service], unnamed: 0 },
      },
      'en',
    )
    const html = periodHtml(worded)
    expect(html).not.toMatch(/<script|<img/)
    expect(read(html).match(/<script>alert\(1\)<\/script>/g)?.length).toBeGreaterThan(2)
  })

  test('loads nothing from anywhere: pictures come with the mail', () => {
    const { html = '' } = wordNotice(failureNotice(), 'email_extended', english, {
      ...{ contentType: 'image/png', content: Buffer.from('x'), sensorId: 1 },
    })
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)).toEqual(['cid:picture@latarnik'])
    expect(html).not.toMatch(/url\(|@import|<link/)
    expect(read(html)).toContain('What the browser saw: Local 1')
  })

  test('is for mails that people read; the others are text alone', () => {
    for (const channelId of ['sms', 'jabber', 'gadu_gadu', 'email_short', 'email_dedicated']) {
      expect(wordNotice(failureNotice(), channelId, polish)).not.toHaveProperty('html')
    }
  })
})
