import type { Config } from './config.ts'
import { ensureDataDirectory } from './data-directory.ts'
import { openArtifacts } from './database/artifacts/open.ts'
import { needsBrowser, serviceTypes } from './domain/service-types.ts'
import { ensureCanListen } from './listen.ts'
import { tryBrowser } from './sensor/browser/try-browser.ts'
import { checkedTypeIds } from './sensor/check.ts'
import { startLocalStations } from './sensor/local.ts'
import { smsHost } from './sms-gateway.ts'

export interface Finding {
  readonly subject: string
  readonly isRight: boolean
  readonly text: string
}

const pingTexts = {
  socket: 'over unprivileged sockets',
  program: 'with the ping program (sockets are cheaper: put this group into net.ipv4.ping_group_range)',
  none: 'cannot: net.ipv4.ping_group_range leaves this group out and there is no ping program',
} as const

/** Tries what the program will need on this machine, without touching its data. */
export async function examine(config: Config): Promise<Finding[]> {
  return [
    await attempt(
      'Data directory',
      () => ensureDataDirectory(config.dataDirectory),
      `${config.dataDirectory} can be written to`,
    ),
    await attempt('Evidence', () => openArtifacts(config.artifacts).probe(), evidenceText(config)),
    await attempt('API', () => ensureCanListen(config), `${config.host} port ${config.port} is free`),
    ...(await examineStations(config)),
    {
      subject: 'Mail',
      isRight: true,
      text: config.mail.smtpUrl === undefined ? `written to ${config.mail.outboxDirectory}` : 'sent by SMTP',
    },
    {
      subject: 'SMS',
      isRight: true,
      text:
        config.gateways.sms === undefined
          ? 'no gateway (SMS_GATEWAY_URL)'
          : `sent through ${smsHost(config.gateways.sms)}`,
    },
  ]
}

function evidenceText({ artifacts }: Config): string {
  return 's3' in artifacts
    ? `kept in the bucket ${artifacts.s3.bucket}, which can be written to and read from`
    : `kept in ${artifacts.directory}`
}

async function attempt(subject: string, work: () => Promise<void>, text: string): Promise<Finding> {
  try {
    await work()
    return { subject, isRight: true, text }
  } catch (error) {
    return { subject, isRight: false, text: error instanceof Error ? error.message : String(error) }
  }
}

async function examineStations(config: Config): Promise<Finding[]> {
  const stations = await startLocalStations({ sensorIds: [], allow: config.allowPrivateTargets, log: () => undefined })
  await stations.stop()
  const browser = await tryBrowser(config.browser)
  const { categories, pingWay } = stations
  const canServe = (type: (typeof serviceTypes)[number]) =>
    checkedTypeIds.includes(type.id) &&
    (needsBrowser(type.id) ? browser.isRight : categories.includes(type.category)) &&
    (pingWay !== 'none' || !type.id.startsWith('ping'))
  const served = serviceTypes.filter(canServe).map((type) => type.id)
  const others = serviceTypes.filter((type) => !canServe(type)).map((type) => type.id)
  return [
    { subject: 'Ping', isRight: pingWay !== 'none', text: pingTexts[pingWay] },
    {
      subject: 'IPv6',
      isRight: categories.includes('ipv6'),
      text: categories.includes('ipv6')
        ? 'this machine has it'
        : 'this machine has no address that reaches farther than its link',
    },
    { subject: 'Browser', ...browser },
    { subject: 'Can check', isRight: served.length > 0, text: served.join(', ') },
    { subject: 'Cannot check', isRight: true, text: others.length === 0 ? 'nothing' : others.join(', ') },
  ]
}
