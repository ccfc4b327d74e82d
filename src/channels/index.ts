import type { Problem } from '../domain/input/problem.ts'
import type { ElementText } from '../wording/catalogue.ts'
import type { Language } from '../wording/language.ts'
import { apprise } from './apprise.ts'
import { addressProblems, type Channel, type ConfiguredGateway, type Gateway, type GatewayMachine } from './declare.ts'
import { discord } from './discord.ts'
import { email } from './email/email.ts'
import { gaduGadu } from './gadu-gadu.ts'
import { googleChat } from './google-chat.ts'
import { gotify } from './gotify.ts'
import type { Integration } from './integration.ts'
import { jabber } from './jabber/jabber.ts'
import { jsm } from './jsm.ts'
import { matrix } from './matrix.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { rocketChat } from './rocket-chat.ts'
import { signal } from './signal.ts'
import { slack } from './slack.ts'
import { sms } from './sms/sms.ts'
import { splunkOnCall } from './splunk-on-call.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { twilioSms } from './twilio-sms.ts'
import { twilioVoice } from './twilio-voice.ts'
import { webPushChannel } from './web-push.ts'
import { webhook } from './webhook.ts'
import { zulip } from './zulip.ts'

/** The gateways that the operator configures. */
const declared = [email, sms, jabber, gaduGadu] as const

/** The channels that users connect by themselves. A new one is its file and its name here. */
export const integrations: readonly Integration[] = [
  apprise,
  discord,
  googleChat,
  gotify,
  jsm,
  matrix,
  mattermost,
  ntfy,
  opsgenie,
  pagerduty,
  pushover,
  rocketChat,
  signal,
  slack,
  splunkOnCall,
  teams,
  telegram,
  twilioSms,
  twilioVoice,
  webPushChannel,
  webhook,
  zulip,
]

/** The gateway that also carries account mails and mails to the administrator. */
export const lettersGateway = email

type Declared = (typeof declared)[number]
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type GatewayVariables = Together<Declared['variables']>

const gateways: readonly Gateway[] = declared

/** The variables of all gateways. */
export const gatewayVariables: GatewayVariables = Object.assign({}, ...gateways.map(({ variables }) => variables))

/** The id of each gateway, which is the id of the channel that stands for it. */
export const gatewayIds = gateways.map(({ id }) => id)

const channels: readonly Channel[] = [
  ...gateways.flatMap((gateway) => gateway.channels),
  ...integrations.map(({ channel }) => channel),
]

/** In the order of the dictionary. */
export const channelIds = channels.map(({ id }) => id)
const idsOf = (isMeant: (channel: Channel) => boolean) => channels.filter(isMeant).map(({ id }) => id)
/** New services notify through these if the package allows it. */
export const usualChannelIds = idsOf(({ isUsual }) => isUsual === true)
/** Each message through these costs the operator money. */
export const meteredChannelIds = idsOf(({ isMetered }) => isMetered === true)
/** Their messages never wait for each other in a storm. */
export const programChannelIds = idsOf(({ isForPrograms, style }) => isForPrograms === true || style === 'data')

/** The channels that hear of acknowledgements: for their incidents, and as replies to a message about a failure. */
export const acknowledgedChannelIds = {
  incidents: integrations.filter((one) => one.acknowledgements === 'incident').map(({ channel }) => channel.id),
  replies: integrations.filter((one) => one.acknowledgements === 'reply').map(({ channel }) => channel.id),
} as const

const byId: ReadonlyMap<string, Channel> = new Map(channels.map((channel) => [channel.id, channel]))

/** Throws for an id that the dictionary does not have. */
export function channelOf(id: string): Channel {
  const channel = byId.get(id)
  if (channel === undefined) throw new Error(`there is no notification channel ${id}`)
  return channel
}

export function integrationOf(channelId: string): Integration | undefined {
  return integrations.find(({ channel }) => channel.id === channelId)
}

export function channelWords(language: Language): readonly ({ readonly id: string } & ElementText)[] {
  return channels.map(({ id, words }) => ({ id, ...words[language] }))
}

/** Checks the address's form for its channel. Problems: value_too_long, incorrect_value. */
export function destinationProblems(channelId: string, address: string): readonly Problem[] {
  const channel = byId.get(channelId)
  return channel === undefined ? [] : addressProblems(channel, address)
}

/** The same text for the same telephone, mailbox or account, in any spelling and through any channel. */
export function destinationOf(channelId: string, address: string): string {
  const gateway = gateways.find((candidate) => candidate.channels.some(({ id }) => id === channelId))
  const form = channelOf(channelId).address
  return `${gateway?.id ?? channelId}:${form?.destination?.(address) ?? address.toLowerCase()}`
}

/** The gateways with the operator's values. */
export function configureGateways(values: object, machine: GatewayMachine): readonly ConfiguredGateway[] {
  return gateways.map(({ configure }) => configure(values, machine))
}

/** Values that are valid one by one but not together; invalid ones are left out. */
export function gatewayContradictions(values: object): readonly string[] {
  return gateways.flatMap(({ contradictionsIn }) => contradictionsIn(values))
}
