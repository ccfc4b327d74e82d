import { hostname } from 'node:os'
import type { AddressFamily } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readBoolean, readInteger, readOptionalText } from '../../sensor/settings.ts'
import { SmtpLine, type SmtpReply } from '../../sensor/smtp-line.ts'
import type { StallMeter } from '../../sensor/stall-meter.ts'

/** Up when the mail server greets us and answers our greeting; with start_tls also when it then speaks good TLS. */
export function checkSmtpHelo(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  stallMeter: StallMeter,
): Promise<CheckOutcome> {
  const { settings } = job
  const attempt = new Attempt(job.address, readInteger(settings, 'timeout'), stallMeter.moreMs)
  return observe(attempt, async () => {
    const { host, port } = parseHostAndPort(job.address, readInteger(settings, 'port'))
    const heloName = readHeloName(readOptionalText(settings, 'helo_name') ?? hostname())
    const addresses = await equipment.dialler.resolve(attempt, host, family)
    const line = new SmtpLine(attempt, await equipment.dialler.connect(attempt, addresses, port))
    attempt.explain = () => {
      attempt.facts['smtp_dialogue'] = line.dialogue
    }
    try {
      attempt.enter('first_byte', 'smtp_banner_timeout')
      expectReply(await line.read(), 220, 'smtp_refused')
      attempt.enter('transfer', 'smtp_reply_timeout')
      const greeting = await greet(line, heloName)
      if (readBoolean(settings, 'start_tls')) {
        await startTls(line, greeting)
        const verifyCertificate = readBoolean(settings, 'verify_certificate')
        const demands = { verifyCertificate, certificateDays: null, protocols: [] }
        line.use(await equipment.tls.handshake(attempt, line.release(), host, demands))
        attempt.enter('transfer', 'smtp_reply_timeout')
        await greet(line, heloName)
      }
      attempt.stop()
      attempt.dataSize = line.bytes
      line.say('QUIT')
    } finally {
      line.close()
    }
  })
}

function readHeloName(name: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(name)) return name
  throw new Failure('setting_invalid', `setting helo_name ${JSON.stringify(name)} cannot be sent`)
}

/** EHLO, or HELO for a server that does not know the newer word. */
async function greet(line: SmtpLine, name: string): Promise<SmtpReply> {
  const extended = await line.ask(`EHLO ${name}`)
  if (extended.code === 250) return extended
  const plain = extended.code >= 500 ? await line.ask(`HELO ${name}`) : extended
  return expectReply(plain, 250, 'smtp_helo_refused')
}

async function startTls(line: SmtpLine, greeting: SmtpReply): Promise<void> {
  if (!greeting.lines.some((text) => text.trim().toUpperCase() === 'STARTTLS')) {
    throw new Failure('smtp_starttls_missing', 'the server does not offer STARTTLS')
  }
  expectReply(await line.ask('STARTTLS'), 220, 'smtp_starttls_refused')
}

function expectReply(
  reply: SmtpReply,
  code: number,
  symbol: 'smtp_refused' | 'smtp_helo_refused' | 'smtp_starttls_refused',
): SmtpReply {
  if (reply.code === code) return reply
  throw new Failure(symbol, `${reply.code} ${reply.lines.join(' ')}`.trim())
}
