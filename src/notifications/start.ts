import type { ConfiguredGateway } from '../channels/declare.ts'
import { refused, type Transport } from '../channels/delivery.ts'
import { type MailConfig, mailGateway, mailSender } from '../channels/email/email.ts'
import { type Mailer, mailer, usualConnections } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import {
  type IntegrationTransportOptions,
  integrationTransport,
  integrationTransportId,
} from '../channels/integration-transport.ts'
import { subscriberTransport } from '../channels/subscriber-transport.ts'
import type { Database } from '../database/connect.ts'
import { keptOnceRead } from '../database/kept-once-read.ts'
import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact } from '../domain/notification/letter.ts'
import type { PageHosts } from '../domain/status-pages/page-host.ts'
import { readLinkKey } from '../outbox/acknowledge-links.ts'
import { dueMessages } from '../outbox/due-messages.ts'
import { readSubscriberKey } from '../outbox/subscriber-links.ts'
import { readWebPushKeys } from '../outbox/web-push-keys.ts'
import { Presence } from '../presence/presence.ts'
import type { DeliveryTelemetry } from '../telemetry/port.ts'
import { DeliveryWorker, type Route } from './delivery-worker.ts'
import { DestinationFlowControl } from './destinations.ts'
import { Escalator } from './escalator.ts'
import { gatewayFlowControl, noFlowControl } from './flow-control.ts'
import { type ChannelFilter, hasDueMail } from './intents.ts'
import { lettersBy } from './letters.ts'
import { type NoticeOptions, noticesFor } from './notices.ts'
import type { ClaimMessages } from './outbox-message.ts'
import { periodicMailsBy } from './periodic-mails.ts'
import { reportMailsBy } from './report-mails.ts'
import { Spreader } from './spreader.ts'
import { subscriberHooksBy, subscriberMailsBy } from './subscriber-messages.ts'

export interface NotifierOptions extends DeliveryWorkerOptions {
  readonly mail: MailConfig
  /** Default: mail alone. */
  readonly gateways?: readonly ConfiguredGateway[]
  /** The way to far ends that users name, and where vendors take messages. Without it their messages fail. */
  readonly integrations?: Omit<IntegrationTransportOptions, 'clock' | 'sender'>
  /** The way to far ends that strangers name on status pages. Default: to public addresses alone. */
  readonly strangersDialler?: IntegrationTransportOptions['dialler']
}

export interface DeliveryWorkerOptions extends NoticeOptions {
  readonly clock: Clock
  /** Messages a minute that this process gives to a gateway; none: no limit. */
  readonly perMinute?: Readonly<Record<string, number>>
  /** Notified when a gateway is down. */
  readonly administratorContact?: AdministratorContact
  /** Observes deliveries; nobody by default. */
  readonly telemetry?: DeliveryTelemetry
  /** Host names that status pages may have for themselves. */
  readonly pageHosts?: PageHosts
  /** Default: subscribers get nothing. */
  readonly ofSubscribers?: SubscriberWays
}

export interface Notifier {
  /** Claims nothing more and waits for what is under way, at most ten seconds. */
  stop(): Promise<void>
  /** Resolves when nothing is due, or may go, and none is under way. */
  drain(): Promise<void>
}

/** Starts delivering notification intents and letters, in as many processes as one likes. */
export async function startNotifier(options: NotifierOptions): Promise<Notifier> {
  const { mail, gateways = [mailGateway(mail)], integrations, strangersDialler, clock, database, publicUrl } = options
  const sender = keptOnceRead(async () => ({ publicUrl, webPushKeys: await readWebPushKeys(database) }))
  const transports = [
    ...gateways.flatMap(({ connection }) => (connection === null ? [] : [connection.open()])),
    ...(integrations === undefined ? [] : [integrationTransport({ ...integrations, clock, sender })]),
  ]
  const perMinute = Object.fromEntries(
    gateways.flatMap(({ id, perMinute: rate }) => (rate === undefined ? [] : [[id, rate]])),
  )
  const linkKey = keptOnceRead(() => readLinkKey(database))
  const ofSubscribers: SubscriberWays = {
    mails: mail.connections ?? usualConnections,
    hooks:
      integrations === undefined
        ? null
        : subscriberTransport({ ...integrations, clock, dialler: strangersDialler, sender }),
  }
  const letters = mailer(mail.from, mailSender(mail))
  return startDeliveryWorkers({ ...options, perMinute, linkKey, ofSubscribers }, transports, letters)
}

/** The ways to subscribers of status pages. */
interface SubscriberWays {
  /** The limit of mails in progress. */
  readonly mails: number
  /** Null: no hook is reached. */
  readonly hooks: Transport | null
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

export async function startDeliveryWorkers(
  options: DeliveryWorkerOptions,
  channels: readonly Transport[],
  letters: Mailer | null = null,
): Promise<Notifier> {
  let workers: readonly DeliveryWorker[] = []
  let escalator: Escalator | null = null
  let spreader: Spreader | null = null
  const wake = () => {
    for (const worker of workers) worker.wake()
    escalator?.wake()
    spreader?.wake()
  }
  const look = (now: number) => dueMessages(options.database, now)
  const presence = new Presence({ ...options, channel: 'notifications', kinds: kindsOfWork, look, wake })
  await presence.start()
  workers = await workersOf(options, channels, letters, () => presence.session)
  escalator = new Escalator(options)
  spreader = new Spreader(options)
  async function stop(): Promise<void> {
    await atMost(Promise.all([escalator?.stop(), spreader?.stop(), ...workers.map((worker) => worker.stop())]), 10_000)
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
      const carry = () => Promise.all(workers.map((worker) => worker.drain()))
      while ((await spreader?.drain()) === 'more') await carry()
      await carry()
    },
  }
}

async function workersOf(
  options: DeliveryWorkerOptions,
  channels: readonly Transport[],
  letters: Mailer | null,
  session: () => string | null,
): Promise<DeliveryWorker[]> {
  const { database } = options
  const flowControls = new Map(
    await Promise.all(channels.map(async ({ id }) => [id, await flowControlOf(options, id)] as const)),
  )
  const flowControlTo = (id: Transport['id']) => flowControls.get(id) ?? noFlowControl
  const ofChannel = (channel: Transport, filter: ChannelFilter) => {
    const [claim, flowControl] = [noticesFor(options, channel, filter), flowControlTo(channel.id)]
    return new DeliveryWorker(options, { claim, concurrency: channel.concurrency, flowControl, session })
  }
  const ofMails = (claim: ClaimMessages) =>
    new DeliveryWorker(options, {
      claim,
      concurrency: letterConcurrency,
      flowControl: flowControlTo(lettersGateway.id),
      session,
    })
  const served = channels.flatMap((channel) => channel.notificationChannelIds)
  const mails =
    letters === null
      ? []
      : [lettersBy(options, letters), reportMailsBy(database, letters), periodicMailsBy(database, letters)]
  return [
    ...channels.map((channel) => ofChannel(channel, { oneOf: channel.notificationChannelIds })),
    ofChannel(nobody, { noneOf: served }),
    ...mails.map(ofMails),
    ...(letters === null
      ? []
      : subscriberWorkers(options, letters, { flowControl: flowControlTo(lettersGateway.id), session })),
  ]
}

/** Hooks of subscribers in progress at once. */
const subscriberHooks = 500
/** Those among them of one account, above which its others wait: no page with slow hooks keeps the others waiting. */
const hooksPerAccount = 50

/**
 * Subscribers have workers of their own, so ten thousand of them delay no notification. Their mails use half of the
 * connections at most.
 */
function subscriberWorkers(
  options: DeliveryWorkerOptions,
  letters: Mailer,
  { flowControl, session }: Pick<Route, 'flowControl' | 'session'>,
): DeliveryWorker[] {
  const { database, clock, ofSubscribers, perMinute } = options
  if (ofSubscribers === undefined) return []
  const keyed = { ...options, key: keptOnceRead(() => readSubscriberKey(database)) }
  const mails = subscriberMailsBy(keyed, letters)
  const isPaced = perMinute?.[lettersGateway.id] !== undefined
  const ofMails = new DeliveryWorker(options, {
    claim: isPaced ? behindNotices(database, mails) : mails,
    concurrency: Math.max(1, Math.ceil(ofSubscribers.mails / 2)),
    ...{ flowControl, session },
  })
  if (ofSubscribers.hooks === null) return [ofMails]
  const ofHooks = new DeliveryWorker(options, {
    claim: subscriberHooksBy(keyed, ofSubscribers.hooks),
    concurrency: subscriberHooks,
    ...{ flowControl: new DestinationFlowControl({ clock, mostPerAccount: hooksPerAccount }), session },
  })
  return [ofMails, ofHooks]
}

/** Where the mail server takes few messages a minute, notifications go first. */
function behindNotices(database: Database, claim: ClaimMessages): ClaimMessages {
  return async (request) => ((await hasDueMail(database, request.now)) ? [] : claim(request))
}

function flowControlOf(
  { database, clock, log, perMinute, administratorContact }: DeliveryWorkerOptions,
  id: Transport['id'],
) {
  if (id === 'nobody') return Promise.resolve(noFlowControl)
  if (id === integrationTransportId) return Promise.resolve(new DestinationFlowControl({ clock }))
  return gatewayFlowControl({
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
