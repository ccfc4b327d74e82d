import type { ConfiguredGateway } from '../channels/declare.ts'
import { refused, type Transport } from '../channels/delivery.ts'
import { type MailConfig, mailGateway, mailSender } from '../channels/email/email.ts'
import { type Mailer, mailer } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import {
  type IntegrationTransportOptions,
  integrationTransport,
  integrationTransportId,
} from '../channels/integration-transport.ts'
import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact } from '../domain/letter.ts'
import { readLinkKey } from '../outbox/acknowledge-links.ts'
import { readWebPushKeys } from '../outbox/web-push-keys.ts'
import { Presence } from '../presence/presence.ts'
import type { DeliveryTelemetry } from '../telemetry/port.ts'
import { Courier } from './courier.ts'
import { DestinationGate } from './destinations.ts'
import { Escalator } from './escalator.ts'
import { newGate, openGate } from './gate.ts'
import type { ChannelFilter } from './intents.ts'
import { lettersBy } from './letters.ts'
import { type NoticeOptions, noticesFor } from './notices.ts'
import type { Claim } from './parcel.ts'
import { periodicMailsBy } from './periodic-mails.ts'
import { reportMailsBy } from './report-mails.ts'

export interface NotifierOptions extends CourierOptions {
  readonly mail: MailConfig
  /** Default: mail alone. */
  readonly gateways?: readonly ConfiguredGateway[]
  /** The way to far ends that users name, and where vendors take messages. Without it their messages fail. */
  readonly integrations?: Omit<IntegrationTransportOptions, 'sender'>
}

export interface CourierOptions extends NoticeOptions {
  readonly clock: Clock
  /** Messages a minute that this process gives to a gateway; none: no limit. */
  readonly perMinute?: Readonly<Record<string, number>>
  /** Notified when a gateway is down. */
  readonly administratorContact?: AdministratorContact
  /** Observes deliveries; nobody by default. */
  readonly telemetry?: DeliveryTelemetry
}

export interface Notifier {
  /** Claims nothing more and waits for what is under way, at most ten seconds. */
  stop(): Promise<void>
  /** Resolves when nothing is due, or may go, and none is under way. */
  drain(): Promise<void>
}

/** Starts delivering notification intents and letters, in as many processes as one likes. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { mail, gateways = [mailGateway(mail)], integrations, database, publicUrl } = options
  const sender = keptOnceRead(async () => ({ publicUrl, webPushKeys: await readWebPushKeys(database) }))
  const transports = [
    ...gateways.flatMap(({ connection }) => (connection === null ? [] : [connection.open()])),
    ...(integrations === undefined ? [] : [integrationTransport({ ...integrations, sender })]),
  ]
  const perMinute = Object.fromEntries(
    gateways.flatMap(({ id, perMinute: rate }) => (rate === undefined ? [] : [[id, rate]])),
  )
  const linkKey = keptOnceRead(() => readLinkKey(database))
  return startCouriers({ ...options, perMinute, linkKey }, transports, mailer(mail.from, mailSender(mail)))
}

/** Reads when it is first asked for, and again when the database was away. */
function keptOnceRead<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

/** Takes the intents of channels that nobody serves, so that none waits for ever and each says why. */
const nobody: Transport = {
  id: 'nobody',
  notificationChannelIds: [],
  concurrency: 4,
  async deliver({ channelId }) {
    return refused(`No gateway is configured for the channel ${channelId}`)
  },
  close: () => undefined,
}

const kindsOfWork = ['notices', 'messages'] as const

/** Letters are few, and nobody waits for many of them. */
const letterConcurrency = 2

const noContact: AdministratorContact = { addresses: [], language: 'en' }

export async function startCouriers(
  options: CourierOptions,
  channels: readonly Transport[],
  letters: Mailer | null = null,
): Promise<Notifier> {
  let couriers: readonly Courier[] = []
  let escalator: Escalator | null = null
  const wake = () => {
    for (const courier of couriers) courier.wake()
    escalator?.wake()
  }
  const presence = new Presence({ ...options, channel: 'notifications', kinds: kindsOfWork, wake })
  await presence.start()
  couriers = await couriersOf(options, channels, letters, () => presence.session)
  escalator = new Escalator(options)
  async function stop(): Promise<void> {
    await atMost(Promise.all([escalator?.stop(), ...couriers.map((courier) => courier.stop())]), 10_000)
    await presence.stop()
    for (const channel of channels) channel.close()
  }
  let stopping: Promise<void> | undefined
  return {
    stop() {
      stopping ??= stop()
      return stopping
    },
    async drain() {
      await escalator?.drain()
      await Promise.all(couriers.map((courier) => courier.drain()))
    },
  }
}

async function couriersOf(
  options: CourierOptions,
  channels: readonly Transport[],
  letters: Mailer | null,
  session: () => string | null,
): Promise<Courier[]> {
  const { database } = options
  const gates = new Map(await Promise.all(channels.map(async ({ id }) => [id, await gateOf(options, id)] as const)))
  const gateTo = (id: Transport['id']) => gates.get(id) ?? openGate
  const ofChannel = (channel: Transport, filter: ChannelFilter) => {
    const [claim, gate] = [noticesFor(options, channel, filter), gateTo(channel.id)]
    return new Courier(options, { claim, concurrency: channel.concurrency, gate, session })
  }
  const ofMails = (claim: Claim) =>
    new Courier(options, { claim, concurrency: letterConcurrency, gate: gateTo(lettersGateway.id), session })
  const served = channels.flatMap((channel) => channel.notificationChannelIds)
  const mails =
    letters === null
      ? []
      : [lettersBy(options, letters), reportMailsBy(database, letters), periodicMailsBy(database, letters)]
  return [
    ...channels.map((channel) => ofChannel(channel, { oneOf: channel.notificationChannelIds })),
    ofChannel(nobody, { noneOf: served }),
    ...mails.map(ofMails),
  ]
}

function gateOf({ database, clock, log, perMinute, administratorContact }: CourierOptions, id: Transport['id']) {
  if (id === 'nobody') return Promise.resolve(openGate)
  if (id === integrationTransportId) return Promise.resolve(new DestinationGate({ clock }))
  return newGate({
    ...{ database, clock, log, gateway: id, perMinute: perMinute?.[id] ?? null },
    administratorContact: administratorContact ?? noContact,
  })
}

async function atMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}
