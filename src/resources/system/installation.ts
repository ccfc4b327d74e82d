import { newestRounds, readFigures, type Window, windows } from '../../accountability/figures.ts'
import { readSmsOfAll } from '../../database/accounts/sms-days.ts'
import type { Operation } from '../../rest/call.ts'
import { boolean, decimal, integer, list, object, text } from '../../rest/fields.ts'
import { refuse } from '../../rest/problems.ts'
import { answerSchemaOf } from '../../rest/schemas.ts'

const windowNames = Object.keys(windows)
const isWindow = (name: string): name is Window => windowNames.includes(name)

const count = (about: string) =>
  integer({ required: true, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, about, example: 1 })
const milliseconds = (about: string) => integer({ required: true, nullable: true, minimum: 0, about, example: 12 })
const share = (about: string) => decimal({ required: true, nullable: true, about, example: 0.998 })

const station = object(
  {
    sensor_id: integer({ required: true, example: 1 }),
    name: text({ required: true, example: 'Gdańsk' }),
    rounds: count('Of the newest ones: those that it could tell something in and that had a verdict.'),
    agreement: share('Share of them in which it said what the verdict said. Null: none.'),
    checks: count('Of the days of the window.'),
    unknown_checks: count('Those of them that it could not try.'),
  },
  {},
)

const channel = object(
  {
    notification_channel_id: text({ required: true, example: 'email' }),
    sent: count('Handed over to the gateway or the server of the addressee.'),
    failed: count('Given up.'),
    pending: count('Still to be sent.'),
    other: count('Neither: for example left out, since their service was switched off.'),
    latency_p50: milliseconds('From the verdict to the end of sending, half of those sent. Null: none.'),
    latency_p95: milliseconds('The same, 95 of 100.'),
  },
  {},
)

const answer = object(
  {
    window: text({ required: true, oneOf: windowNames, example: '24h' }),
    lateness: object(
      {
        rounds: count('Of the newest ones.'),
        unjudged_rounds: count('Those of them without a verdict: too few stations could tell.'),
        p50: milliseconds(
          'From the place of the round on its grid to the beginning of its last check, half of the rounds. Null: none.',
        ),
        p95: milliseconds('The same, 95 of 100.'),
        maximum: milliseconds('The latest.'),
      },
      { required: true },
    ),
    missed_rounds: count(
      'Rounds that were skipped since the hour in which the window begins: nobody ran, or they came too late to be true.',
    ),
    accountability_page: boolean({
      required: true,
      about: 'Whether `/accountability` shows these numbers to everyone.',
    }),
    stations: list(station, { required: true }),
    failures: count('Failures that began in the window, of all services.'),
    false_alarms_corrected: count('Corrections to `ok` that somebody entered in the window.'),
    deliveries: list(channel, { required: true }),
    sms_today: object(
      {
        limit: count('`SMS_DAILY`.'),
        sent: count('Counted among the limit, also those that their gateway refused.'),
        kept_back: count('Beyond the limit, so they failed.'),
      },
      {
        required: true,
        nullable: true,
        about: 'The SMS of all accounts together today (UTC), whatever the window. Null: `SMS_DAILY` is not set.',
      },
    ),
  },
  {},
)

export interface InstallationOptions {
  readonly hasAccountabilityPage: boolean
  readonly smsDaily: number | undefined
}

/** `GET /system/installation` */
export const installationOf = ({ hasAccountabilityPage, smsDaily }: InstallationOptions): Operation => ({
  id: 'system.installation',
  method: 'GET',
  path: '/system/installation',
  tag: 'system',
  summary: 'How well the installation itself works',
  about:
    'From what is stored, so of all processes together. `lateness` and `agreement` are of the newest rounds: at most ' +
    `${newestRounds} of the last hour, whatever the window. \`checks\` and \`unknown_checks\` are of the whole UTC days that the window ` +
    'touches; everything else is of the window to the second. Notifications are counted while they are stored.',
  access: 'administrator',
  parameters: [
    {
      name: 'window',
      in: 'query',
      about: 'How far back.',
      schema: { type: 'string', enum: windowNames, default: '24h' },
    },
  ],
  answers: { 200: { about: 'The numbers.', schema: answerSchemaOf(answer) } },
  async handle(call) {
    const window = call.query.get('window') ?? '24h'
    if (!isWindow(window)) return refuse('incorrect_value', 'query.window')
    const figures = await readFigures(call.database, window, call.nowAt)
    const sms = smsDaily === undefined ? null : await readSmsOfAll(call.database, smsDaily, call.nowAt)
    return { status: 200, body: { window, accountability_page: hasAccountabilityPage, ...figures, sms_today: sms } }
  },
})
