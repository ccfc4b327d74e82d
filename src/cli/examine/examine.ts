import { trySmtp } from '../../channels/email/smtp.ts'
import { lettersGateway } from '../../channels/index.ts'
import type { Config } from '../../config/config.ts'
import { openArtifacts } from '../../database/artifacts/open.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { ensureDataDirectory } from '../../program/data-directory.ts'
import { mailRouteOf, runningMailRoute } from '../../program/running-api.ts'
import { examineBroker } from './broker.ts'
import { examineDatabase } from './database.ts'
import { examineCore } from './far-core.ts'
import { attempt, type Finding, finding } from './finding.ts'
import { examineClock, examineDisk, examineMemory, examineStations } from './machine.ts'
import { configuredServers, examineNames } from './names.ts'
import { examinePort, openedPorts } from './ports.ts'
import { targetsFinding } from './targets.ts'

export interface ExamineOptions {
  /** Connects only to configured addresses, not to name servers. */
  readonly isOffline: boolean
}

/** Tests everything that the program, or a remote station, will need on this machine, without touching its data. */
export async function examine(config: Config, { isOffline }: ExamineOptions): Promise<Finding[]> {
  const { dataDirectory, farSensor } = config
  const isStation = farSensor.server !== undefined
  const directory = await attempt('Data directory', async () => {
    await ensureDataDirectory(dataDirectory)
    return `${dataDirectory} can be written to`
  })
  return [
    directory,
    ...(directory.state === 'ok' ? [await examineDisk(dataDirectory)] : []),
    ...(isStation ? [] : [examineMemory(config)]),
    await examineClock(),
    ...(isOffline ? [] : [await examineNames(configuredServers())]),
    ...(isStation ? [] : [targetsFinding(config)]),
    ...(isStation ? await examineCore(farSensor) : await examineInstallation(config)),
    ...(await Promise.all(openedPorts(isStation ? { ...config, roles: ['sensor'] } : config).map(examinePort))),
    ...(await examineStations({
      ...config,
      ...(isStation ? { allowPrivateTargets: farSensor.allowPrivateTargets, isRegistrationOpen: null } : {}),
    })),
  ]
}

async function examineInstallation(config: Config): Promise<Finding[]> {
  return [
    ...(await examineDatabase(config)),
    ...(config.natsServers.length > 0 ? [await examineBroker(config.natsServers)] : []),
    await attempt('Evidence', async () => {
      await openArtifacts(config.artifacts).tryOut()
      return evidenceText(config)
    }),
    ...(config.roles.includes('notifier')
      ? [await examineMail(config), ...(await examineRunningMail(config)), ...gatewayFindings(config)]
      : []),
  ]
}

function evidenceText({ artifacts }: Config): string {
  return 's3' in artifacts
    ? `kept in the bucket ${artifacts.s3.bucket}, which can be written to and read from`
    : `kept in ${artifacts.directory}`
}

async function examineMail({ mail: { smtpUrl, outboxDirectory } }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    return finding('Mail', 'note', `not sent: each mail is written as a file to ${outboxDirectory} (set SMTP_URL)`)
  }
  return attempt('Mail', async () => {
    const { host } = new URL(smtpUrl)
    try {
      await trySmtp(smtpUrl)
    } catch (error) {
      throw new Error(`${host}: ${errorText(error)}`)
    }
    return `sent through ${host}, and the login works`
  })
}

/** The program may have been started with other settings than those of this shell, which alone are tested. */
export async function examineRunningMail(
  config: Pick<Config, 'mail' | 'roles' | 'dataDirectory'>,
): Promise<readonly Finding[]> {
  const running = await runningMailRoute(config.dataDirectory)
  if (running === null) return []
  const own = mailRouteOf(config)
  const text =
    running === own
      ? `the running program sends to ${running}, too`
      : `the running program sends to ${running}. The line above is about ${own}: this command has other settings than the program was started with (SMTP_URL, or --config)`
  return [finding('Mail (running)', running === own ? 'ok' : 'note', text)]
}

/** Gateways except mail, which is tested separately. */
function gatewayFindings({ gateways }: Config): Finding[] {
  return gateways
    .filter(({ id }) => id !== lettersGateway.id)
    .map(({ name, needs, connection }) =>
      connection === null
        ? finding(name, 'note', `no gateway: notifications through ${name} fail (${needs})`)
        : finding(name, 'ok', `sent through ${connection.goesTo}; not tested, because a test would send a message`),
    )
}
