import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { DeliveryTelemetry } from '../telemetry/port.ts'
import type { Channel } from './channel.ts'
import { emailChannel, type Mailer, mailer } from './channels/email.ts'
import { outbox } from './channels/outbox.ts'
import { type SmsGateway, smsChannel } from './channels/sms.ts'
import { smtpServer } from './channels/smtp.ts'
import { startCourier } from './courier.ts'
import type { NotifierLog } from './deliver.ts'
import type { ChannelFilter } from './intents.ts'
import { lettersBy } from './letters.ts'
import type { Diagnose } from './message.ts'
import { noticesFor } from './notices.ts'
import { reportMailsBy } from './report-mails.ts'

export interface NotifierOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: NotifierLog
  readonly mail: {
    /** Without a server, mail goes to the outbox. */
    readonly smtpUrl?: string | undefined
    readonly from: string
    readonly outboxDirectory: string
  }
  /** Undefined: notices by SMS fail. */
  readonly sms?: SmsGateway | undefined
  /** Where people reach the program, without `/v3`. */
  readonly publicUrl: string
  readonly diagnose: Diagnose
  /** Who watches deliveries; nobody by default. */
  readonly telemetry?: DeliveryTelemetry
}

export interface Notifier {
  /** Claims nothing more and waits for what is under way, at most ten seconds. */
  stop(): Promise<void>
  /** Resolves when nothing is due and none is under way. */
  drain(): Promise<void>
}

/** Starts delivering notification intents and letters, in as many processes as one likes. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { from, smtpUrl, outboxDirectory } = options.mail
  const sender = smtpUrl === undefined ? outbox(outboxDirectory) : smtpServer(smtpUrl)
  const channels = [emailChannel(from, sender), ...(options.sms === undefined ? [] : [smsChannel(options.sms)])]
  return startCouriers(options, channels, mailer(from, sender))
}

/** Takes the intents of channels that nobody serves, so that none waits for ever and each says why. */
const nobody: Channel = {
  id: 'nobody',
  notificationChannelIds: [],
  concurrency: 4,
  async deliver({ channelId }) {
    return { status: 'failed', permanent: true, error: `No gateway is configured for the channel ${channelId}` }
  },
  close: () => undefined,
}

type CourierOptions = Omit<NotifierOptions, 'mail' | 'sms'>

/** Letters are few, and nobody waits for many of them. */
const letterConcurrency = 2

export async function startCouriers(
  options: CourierOptions,
  channels: readonly Channel[],
  letters: Mailer | null = null,
): Promise<Notifier> {
  const served = channels.flatMap((channel) => channel.notificationChannelIds)
  const ofChannel = (channel: Channel, filter: ChannelFilter) =>
    startCourier(options, noticesFor(options, channel, filter), channel.concurrency)
  const couriers = [
    ...channels.map((channel) => ofChannel(channel, { oneOf: channel.notificationChannelIds })),
    ofChannel(nobody, { noneOf: served }),
    ...(letters === null
      ? []
      : [lettersBy(options, letters), reportMailsBy(options.database, letters)].map((claim) =>
          startCourier(options, claim, letterConcurrency),
        )),
  ]
  const stopListening = await listen(options, () => {
    for (const courier of couriers) courier.wake()
  })
  async function stop(): Promise<void> {
    const stopped = Promise.all(couriers.map((courier) => courier.stop()))
    await stopListening()
    await atMost(stopped, 10_000)
    for (const channel of channels) channel.close()
  }
  let stopping: Promise<void> | undefined
  return {
    stop() {
      stopping ??= stop()
      return stopping
    },
    async drain() {
      await Promise.all(couriers.map((courier) => courier.drain()))
    },
  }
}

/** Without notifications from the database, the couriers' own patrols find everything a little later. */
async function listen({ database, log }: CourierOptions, wake: () => void): Promise<() => Promise<void>> {
  try {
    return await database.listen('notifications', wake)
  } catch (error) {
    log.warn({ err: error }, 'the database cannot wake the notifier')
    return async () => undefined
  }
}

async function atMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}
