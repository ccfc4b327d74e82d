import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Channel, Message, Progress } from '../../src/notifications/channel.ts'
import { emailChannel } from '../../src/notifications/channels/email.ts'
import { outbox } from '../../src/notifications/channels/outbox.ts'
import { smsChannel } from '../../src/notifications/channels/sms.ts'
import { smtpServer } from '../../src/notifications/channels/smtp.ts'
import { startMailbox } from '../support/mailbox.ts'
import { failureAt } from '../support/notices.ts'
import { gatewayAt, startSmsGateway, usualForm } from '../support/sms-gateway.ts'

/** A channel with its far end on this machine. */
interface Rig {
  readonly channel: Channel
  readonly notificationChannelId: string
  /** One that its far end takes. */
  readonly address: string
  /** Message ids of what has arrived. */
  arrived(): Promise<string[]>
  /** From now on the far end cannot take anything. */
  breakDown(): Promise<void>
  /** Sending again does no harm, so no hand-over is needed. */
  readonly isRepeatable: boolean
  close(): Promise<void>
}

const from = 'Latarnik <latarnik@example.com>'

const mailAddress = { notificationChannelId: 'email', address: 'alice@example.com' }

async function smtpRig(): Promise<Rig> {
  const mailbox = await startMailbox()
  const timeouts = { connection: 500, greeting: 500, silence: 500, untilHandOver: 1000 }
  return {
    channel: emailChannel(from, smtpServer(mailbox.url, timeouts)),
    ...mailAddress,
    arrived: async () => mailbox.mails.map(({ parsed }) => parsed.messageId ?? ''),
    breakDown: () => mailbox.stop(),
    isRepeatable: false,
    close: () => mailbox.stop(),
  }
}

async function outboxRig(): Promise<Rig> {
  const parent = await mkdtemp(join(tmpdir(), 'outbox-'))
  const directory = join(parent, 'outbox')
  return {
    channel: emailChannel(from, outbox(directory)),
    ...mailAddress,
    async arrived() {
      const names = await readdir(directory).catch(() => [])
      const mails = names.map(async (name) => simpleParser(await readFile(join(directory, name))))
      return (await Promise.all(mails)).map(({ messageId }) => messageId ?? '')
    },
    async breakDown() {
      await rm(directory, { recursive: true, force: true })
      await writeFile(directory, 'a file where the outbox should be')
    },
    isRepeatable: true,
    close: () => rm(parent, { recursive: true, force: true }),
  }
}

/** An idempotent gateway takes each id once. */
async function smsRig(isIdempotent: boolean): Promise<Rig> {
  const gateway = await startSmsGateway()
  const timeouts = { connection: 500, whole: 1000 }
  return {
    channel: smsChannel(gatewayAt(gateway.url, { isIdempotent }), usualForm, timeouts),
    notificationChannelId: 'sms',
    address: '+48500100200',
    async arrived() {
      const ids = gateway.calls.map(({ headers }) => String(headers['idempotency-key']))
      return isIdempotent ? [...new Set(ids)] : ids
    },
    breakDown: () => gateway.stop(),
    isRepeatable: isIdempotent,
    close: () => gateway.stop(),
  }
}

function message(values: Partial<Message> = {}): Message {
  return {
    key: 'notice-1-failure-2',
    threadKey: 'thread-1',
    channelId: 'email',
    address: 'alice@example.com',
    serviceId: 1,
    condition: 'failure',
    decidedAt: failureAt,
    subject: 'Sklep: AWARIA',
    text: 'AWARIA\n.\n.. zażółć gęślą jaźń\n',
    attachment: null,
    ...values,
  }
}

function messageTo({ address, notificationChannelId }: Rig, values: Partial<Message> = {}): Message {
  return message({ address, channelId: notificationChannelId, ...values })
}

function progress(handOver: () => Promise<void> = async () => undefined): Progress & { asked: number } {
  const counted = {
    asked: 0,
    async handOver() {
      counted.asked += 1
      await handOver()
    },
  }
  return counted
}

describe.each([
  ['e-mail over SMTP', smtpRig],
  ['e-mail to the outbox', outboxRig],
  ['SMS over HTTP', () => smsRig(false)],
  ['SMS over HTTP to an idempotent gateway', () => smsRig(true)],
])('%s', (_, newRig) => {
  let rig: Rig
  beforeEach(async () => {
    rig = await newRig()
  })
  afterEach(async () => {
    rig.channel.close()
    await rig.close()
  })

  test('delivers, and says so', async () => {
    expect(await rig.channel.deliver(messageTo(rig), progress())).toEqual({ status: 'sent' })
    expect(await rig.arrived()).toHaveLength(1)
  })

  test('asks once before what cannot be taken back, and does not do it when told no', async () => {
    const refusing = progress(() => Promise.reject(new Error('not ours any more')))
    const outcome = await rig.channel.deliver(messageTo(rig), refusing)
    expect(refusing.asked).toBe(rig.isRepeatable ? 0 : 1)
    expect(await rig.arrived()).toHaveLength(rig.isRepeatable ? 1 : 0)
    expect(outcome.status).toBe(rig.isRepeatable ? 'sent' : 'failed')
  })

  test('a message sent again has the same name', async () => {
    await rig.channel.deliver(messageTo(rig), progress())
    await rig.channel.deliver(messageTo(rig), progress())
    const ids = await rig.arrived()
    expect(ids).toHaveLength(rig.isRepeatable ? 1 : 2)
    expect(new Set(ids).size).toBe(1)
  })

  test('different messages have different names', async () => {
    await rig.channel.deliver(messageTo(rig), progress())
    await rig.channel.deliver(messageTo(rig, { key: 'notice-1-failure-3' }), progress())
    expect(new Set(await rig.arrived()).size).toBe(2)
  })

  test('a far end that is down is a failure to be tried again, not an exception', async () => {
    await rig.breakDown()
    const asking = progress()
    const outcome = await rig.channel.deliver(messageTo(rig), asking)
    expect(outcome).toMatchObject({ status: 'failed', permanent: false })
    expect(outcome.status === 'failed' && outcome.error).not.toBe('')
    expect(asking.asked).toBe(0)
  })

  test('an address that can never work fails for good', async () => {
    const outcome = await rig.channel.deliver(message({ address: 'not an address' }), progress())
    expect(outcome).toMatchObject({ status: 'failed', permanent: true })
  })

  test('serves the channels that it names', () => {
    expect(rig.channel.notificationChannelIds).toContain(rig.notificationChannelId)
    expect(rig.channel.concurrency).toBeGreaterThan(0)
  })
})

describe('the outbox', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'outbox-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  test('holds whole readable files in the order of the events, and nothing else', async () => {
    const channel = emailChannel(from, outbox(directory))
    await channel.deliver(message({ key: 'notice-9-failure-1', decidedAt: failureAt + 60_000 }), progress())
    await channel.deliver(message({ key: 'notice-1-../../etc-1' }), progress())
    const names = (await readdir(directory)).toSorted()
    expect(names).toEqual([
      expect.stringMatching(/^20261121T111300\.000Z-notice-1-[.-]+etc-1-[0-9a-f]{8}\.eml$/),
      expect.stringMatching(/^20261121T111400\.000Z-notice-9-failure-1-[0-9a-f]{8}\.eml$/),
    ])
    const mail = await simpleParser(await readFile(join(directory, names[1] ?? '')))
    expect(mail.text).toBe('AWARIA\n.\n.. zażółć gęślą jaźń\n')
    expect(mail.date?.getTime()).toBe(failureAt + 60_000)
  })

  test('writes the same bytes for the same message, so that a repetition changes nothing', async () => {
    const attachment = { fileName: 'notification.json', contentType: 'application/json', content: '{}' }
    const channel = emailChannel(from, outbox(directory))
    await channel.deliver(message({ attachment }), progress())
    const [name] = await readdir(directory)
    const first = await readFile(join(directory, name ?? ''))
    await channel.deliver(message({ attachment }), progress())
    expect(await readFile(join(directory, name ?? ''))).toEqual(first)
  })

  test('a directory in the way leaves nothing half written', async () => {
    const channel = emailChannel(from, outbox(directory))
    await channel.deliver(message(), progress())
    const [name] = await readdir(directory)
    await rm(join(directory, name ?? ''))
    await mkdir(join(directory, name ?? '', 'full'), { recursive: true })
    expect(await channel.deliver(message(), progress())).toMatchObject({ status: 'failed', permanent: false })
    expect(await readdir(directory)).toEqual([name])
  })
})
