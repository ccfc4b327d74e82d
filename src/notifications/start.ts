import type { Clock } from '../domain/clock.ts'
import type { AdministratorContact, GatewayId } from '../domain/letter.ts'
import { Presence } from '../presence/presence.ts'
import type { DeliveryTelemetry } from '../telemetry/port.ts'
import type { Channel } from './channel.ts'
import { emailChannel, type Mailer, mailer } from './channels/email.ts'
import { gaduGaduChannel } from './channels/gadu-gadu.ts'
import type { HttpGateway } from './channels/http-message.ts'
import { jabberChannel } from './channels/jabber.ts'
import { outbox } from './channels/outbox.ts'
import { smppChannel } from './channels/smpp.ts'
import type { SmppAccount } from './channels/smpp-bond.ts'
import { type SmsForm, smsChannel } from './channels/sms.ts'
import { smtpServer } from './channels/smtp.ts'
import type { JabberAccount } from './channels/xmpp/login.ts'
import { Courier } from './courier.ts'
import { newGate, openGate } from './gate.ts'
import type { ChannelFilter } from './intents.ts'
import { lettersBy } from './letters.ts'
import { type NoticeOptions, noticesFor } from './notices.ts'
import type { NotifierLog } from './notifier-log.ts'
import { type Claim, refused } from './parcel.ts'
import { periodicMailsBy } from './periodic-mails.ts'
import { reportMailsBy } from './report-mails.ts'

/** How SMS leave: through an HTTP gateway of any shape, or SMPP. */
export type SmsWay =
  | { readonly http: HttpGateway; readonly form: SmsForm }
  | { readonly smpp: SmppAccount; readonly form: SmsForm }

export interface NotifierOptions extends CourierOptions {
  readonly mail: {
    /** Without a server, mail goes to the outbox. */
    readonly smtpUrl?: string | undefined
    readonly from: string
    readonly outboxDirectory: string
    /** How many mails may be under way at once. */
    readonly connections?: number
  }
  /** What is undefined has no gateway: its notices fail. */
  readonly sms?: SmsWay | undefined
  readonly jabber?: JabberAccount | undefined
  readonly gaduGadu?: HttpGateway | undefined
}

export interface CourierOptions extends NoticeOptions {
  readonly clock: Clock
  readonly log: NotifierLog
  /** Messages a minute that this process gives to a gateway; none: no limit. */
  readonly perMinute?: Readonly<Partial<Record<GatewayId, number>>>
  /** Who is told when a gateway is down. */
  readonly administratorContact?: AdministratorContact
  /** Who watches deliveries; nobody by default. */
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
  const { from, smtpUrl, outboxDirectory, connections } = options.mail
  const sender = smtpUrl === undefined ? outbox(outboxDirectory) : smtpServer(smtpUrl)
  const { sms, jabber, gaduGadu } = options
  const channels = [
    emailChannel(from, sender, connections),
    ...(sms === undefined ? [] : [channelOf(sms)]),
    ...(jabber === undefined ? [] : [jabberChannel(jabber)]),
    ...(gaduGadu === undefined ? [] : [gaduGaduChannel(gaduGadu)]),
  ]
  return startCouriers(options, channels, mailer(from, sender))
}

function channelOf(sms: SmsWay): Channel {
  return 'smpp' in sms ? smppChannel(sms.smpp, sms.form) : smsChannel(sms.http, sms.form)
}

/** Takes the intents of channels that nobody serves, so that none waits for ever and each says why. */
const nobody: Channel = {
  id: 'nobody',
  notificationChannelIds: [],
  concurrency: 4,
  async deliver({ channelId }) {
    return refused(`No gateway is configured for the channel ${channelId}`)
  },
  close: () => undefined,
}

const kindsOfWork = ['notices', 'letters', 'reportMails', 'periodicReportMails'] as const

/** Letters are few, and nobody waits for many of them. */
const letterConcurrency = 2

const noContact: AdministratorContact = { addresses: [], language: 'en' }

export async function startCouriers(
  options: CourierOptions,
  channels: readonly Channel[],
  letters: Mailer | null = null,
): Promise<Notifier> {
  let couriers: readonly Courier[] = []
  const wake = () => {
    for (const courier of couriers) courier.wake()
  }
  const presence = new Presence({ ...options, channel: 'notifications', kinds: kindsOfWork, wake })
  await presence.start()
  couriers = await couriersOf(options, channels, letters, () => presence.session)
  async function stop(): Promise<void> {
    await atMost(Promise.all(couriers.map((courier) => courier.stop())), 10_000)
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
      await Promise.all(couriers.map((courier) => courier.drain()))
    },
  }
}

async function couriersOf(
  options: CourierOptions,
  channels: readonly Channel[],
  letters: Mailer | null,
  session: () => string | null,
): Promise<Courier[]> {
  const { database } = options
  const gates = new Map(await Promise.all(channels.map(async ({ id }) => [id, await gateOf(options, id)] as const)))
  const gateTo = (id: Channel['id']) => gates.get(id) ?? openGate
  const ofChannel = (channel: Channel, filter: ChannelFilter) => {
    const [claim, gate] = [noticesFor(options, channel, filter), gateTo(channel.id)]
    return new Courier(options, { claim, concurrency: channel.concurrency, gate, session })
  }
  const ofMails = (claim: Claim) =>
    new Courier(options, { claim, concurrency: letterConcurrency, gate: gateTo('email'), session })
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

function gateOf({ database, clock, log, perMinute, administratorContact }: CourierOptions, id: Channel['id']) {
  if (id === 'nobody') return Promise.resolve(openGate)
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
