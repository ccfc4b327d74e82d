import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Message, Progress, Transport } from '../../src/channels/delivery.ts'
import { emlFiles } from '../../src/channels/email/eml-files.ts'
import { emailTransport } from '../../src/channels/email/mail.ts'
import { smtpServer } from '../../src/channels/email/smtp.ts'
import { gaduGaduTransport } from '../../src/channels/gadu-gadu.ts'
import type { HttpGateway } from '../../src/channels/http/gateway.ts'
import { jabberTransport } from '../../src/channels/jabber/messages.ts'
import { smsOverSmpp } from '../../src/channels/sms/smpp.ts'
import { smsOverHttp } from '../../src/channels/sms/sms-over-http.ts'
import { casesMet } from '../support/cases-met.ts'
import { startMailbox } from '../support/mailbox.ts'
import { startMessageCentre } from '../support/message-centre.ts'
import { failureAt } from '../support/notices.ts'
import { gatewayAt, startSmsGateway } from '../support/sms-gateway.ts'
import { startXmppServer } from '../support/xmpp-server.ts'

const troubled = casesMet('far ends that can be given trouble')

type Trouble = 'refuse for good' | 'refuse for now' | 'take and say nothing' | 'take and hang up'

/** A channel with its far end on this machine. */
interface Rig {
  readonly channel: Transport
  readonly notificationChannelId: string
  /** One that its far end takes. */
  readonly address: string
  /** Message ids of what has arrived. */
  arrived(): Promise<string[]>
  /** The texts of what has arrived. */
  texts(): Promise<string[]>
  /** From now on the far end cannot take anything. */
  breakDown(): Promise<void>
  /** Makes the destination fail the next messages; null if it cannot have that trouble. */
  trouble: ((trouble: Trouble) => void) | null
  /** Sending again does no harm, so no hand-over is needed. */
  readonly isRepeatable: boolean
  /** An id that the far end does not know cannot tell messages apart there. */
  readonly isNamed?: boolean
  /** The text is one line, cut to what one message holds. */
  readonly isOneLine?: boolean
  close(): Promise<void>
}

const from = 'Latarnik <latarnik@example.com>'

const mailAddress = { notificationChannelId: 'email', address: 'alice@example.com' }

async function smtpRig(): Promise<Rig> {
  const mailbox = await startMailbox()
  const timeouts = { connection: 500, greeting: 500, silence: 500, untilHandOver: 1000 }
  let letGo: () => void = () => undefined
  return {
    channel: emailTransport(from, smtpServer(mailbox.url, timeouts)),
    ...mailAddress,
    arrived: async () => mailbox.mails.map(({ parsed }) => parsed.messageId ?? ''),
    texts: async () => mailbox.mails.map(({ parsed }) => parsed.text ?? ''),
    breakDown: () => mailbox.stop(),
    trouble(trouble) {
      const refusals: Partial<Record<Trouble, string>> = { 'refuse for good': '550 No', 'refuse for now': '450 Later' }
      mailbox.manners.refuseRecipient = () => refusals[trouble] ?? null
      mailbox.manners.beforeAnswer = async () => {
        if (trouble === 'take and hang up') mailbox.cut()
        if (trouble === 'take and say nothing') await new Promise<void>((resolve) => (letGo = resolve))
      }
    },
    isRepeatable: false,
    async close() {
      letGo()
      await mailbox.stop()
    },
  }
}

async function outboxRig(): Promise<Rig> {
  const parent = await mkdtemp(join(tmpdir(), 'outbox-'))
  const directory = join(parent, 'outbox')
  async function mails() {
    const names = await readdir(directory).catch(() => [])
    return Promise.all(names.map(async (name) => simpleParser(await readFile(join(directory, name)))))
  }
  return {
    channel: emailTransport(from, emlFiles(directory)),
    ...mailAddress,
    arrived: async () => (await mails()).map(({ messageId }) => messageId ?? ''),
    texts: async () => (await mails()).map(({ text }) => text ?? ''),
    async breakDown() {
      await rm(directory, { recursive: true, force: true })
      await writeFile(directory, 'a file where the outbox should be')
    },
    trouble: null,
    isRepeatable: true,
    close: () => rm(parent, { recursive: true, force: true }),
  }
}

type HttpPart = Pick<Rig, 'channel' | 'notificationChannelId' | 'address'> & { readonly isOneLine?: boolean }

async function httpRig(isIdempotent: boolean, partOf: (gateway: HttpGateway) => HttpPart): Promise<Rig> {
  const gateway = await startSmsGateway()
  const unique = <Item>(items: Item[]) => (isIdempotent ? [...new Set(items)] : items)
  return {
    ...partOf(gatewayAt(gateway.url, { isIdempotent })),
    arrived: async () => unique(gateway.calls.map(({ headers }) => String(headers['idempotency-key']))),
    texts: async () => unique(gateway.calls.map(({ body }) => String(JSON.parse(body).text))),
    breakDown: () => gateway.stop(),
    trouble(trouble) {
      const statuses: Partial<Record<Trouble, number>> = { 'refuse for good': 422, 'refuse for now': 503 }
      gateway.manners.answer = (_, response) => {
        const status = statuses[trouble]
        if (status !== undefined) response.writeHead(status).end()
        else if (trouble === 'take and hang up') response.destroy()
      }
    },
    isRepeatable: isIdempotent,
    close: () => gateway.stop(),
  }
}

const httpTimeouts = { connection: 500, whole: 1000 }
const smsAddress = { notificationChannelId: 'sms', address: '+48500100200', isOneLine: true }

/** An idempotent gateway takes each id once. */
function smsRig(isIdempotent: boolean): Promise<Rig> {
  return httpRig(isIdempotent, (gateway) => ({
    channel: smsOverHttp(gateway, { isTransliterated: false, mostParts: 1 }, httpTimeouts),
    ...smsAddress,
  }))
}

function gaduGaduRig(): Promise<Rig> {
  return httpRig(false, (gateway) => ({
    channel: gaduGaduTransport(gateway, httpTimeouts),
    ...{ notificationChannelId: 'gadu_gadu', address: '1234567' },
  }))
}

async function smppRig(): Promise<Rig> {
  const centre = await startMessageCentre()
  const timeouts = { bind: 500, answer: 500, enquiry: 60_000 }
  return {
    channel: smsOverSmpp(centre.account, { isTransliterated: false, mostParts: 1 }, timeouts),
    ...smsAddress,
    arrived: async () => centre.submissions.map(() => 'a message centre knows no names'),
    texts: async () => centre.submissions.map(({ text }) => text),
    breakDown: () => centre.stop(),
    trouble(trouble) {
      centre.manners.answer = (_, session) => {
        if (trouble === 'take and hang up') session.destroy()
        return trouble === 'refuse for good' ? 0x0b : trouble === 'refuse for now' ? 0x58 : null
      }
    },
    isRepeatable: false,
    isNamed: false,
    close: () => centre.stop(),
  }
}

async function jabberRig(): Promise<Rig> {
  const server = await startXmppServer()
  return {
    channel: jabberTransport(server.account, { login: 1000, answer: 500, silence: 60_000 }),
    ...{ notificationChannelId: 'jabber', address: 'alice@localhost' },
    arrived: async () => server.messages.map(({ id }) => id),
    texts: async () => server.messages.map(({ body }) => body),
    breakDown: () => server.stop(),
    trouble(trouble) {
      const refusals: Partial<Record<Trouble, string>> = {
        'refuse for good': 'cancel/item-not-found',
        'refuse for now': 'wait/resource-constraint',
      }
      server.manners.refuse = () => refusals[trouble] ?? null
      server.manners.ping = trouble === 'take and hang up' ? 'cut' : refusals[trouble] ? 'answered' : 'ignored'
    },
    isRepeatable: false,
    close: () => server.stop(),
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
    settings: {},
    link: null,
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
  ['SMS over SMPP', smppRig],
  ['Jabber', jabberRig],
  ['Gadu-Gadu over HTTP', gaduGaduRig],
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
    expect(await rig.channel.deliver(messageTo(rig), progress())).toMatchObject({ status: 'sent' })
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
    expect(await rig.arrived()).toHaveLength(2)
    if (rig.isNamed !== false) expect(new Set(await rig.arrived()).size).toBe(2)
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

  test('an address that names two receivers, or a command, reaches nobody', async () => {
    for (const address of [`${rig.address},${rig.address}`, `${rig.address}\r\nx`, `<${rig.address}>`, '']) {
      const outcome = await rig.channel.deliver(messageTo(rig, { address }), progress())
      expect(outcome, address).toMatchObject({ status: 'failed', permanent: true })
      expect(outcome).not.toHaveProperty('isGatewayDown', true)
    }
    expect(await rig.arrived()).toEqual([])
  })

  test('a refusal for good and one for now are told apart, and leave the way open for the next message', async () => {
    if (!troubled(rig.trouble)) return
    rig.trouble('refuse for good')
    expect(await rig.channel.deliver(messageTo(rig), progress())).toMatchObject({
      ...{ status: 'failed', permanent: true, isGatewayDown: false },
    })
    rig.trouble('refuse for now')
    expect(await rig.channel.deliver(messageTo(rig), progress())).toMatchObject({ status: 'failed', permanent: false })
  })

  test.each(['take and say nothing', 'take and hang up'] as const)(
    'a far end that is to %s is given up in time; what it took it is not given twice',
    async (trouble) => {
      if (!troubled(rig.trouble)) return
      rig.trouble(trouble)
      const outcome = await rig.channel.deliver(messageTo(rig), progress())
      expect(outcome.status).toBe(rig.isRepeatable ? 'failed' : 'unconfirmed')
      expect(await rig.arrived()).toHaveLength(1)
    },
  )

  test('letters of every kind arrive as they were sent', async () => {
    const text = 'Zażółć gęślą jaźń – ™ 🙂 漢字 <b>&amp; "x" ]]> . end'
    await rig.channel.deliver(messageTo(rig, { text: `${text}\n.\n..last\n` }), progress())
    const [arrived = ''] = await rig.texts()
    expect(arrived.replaceAll('\r', '').replaceAll('\n', ' ')).toContain(
      rig.isOneLine ? text.slice(0, 40) : `${text} . ..last`,
    )
  })

  test('many messages at once arrive once each', async () => {
    const keys = Array.from({ length: rig.channel.concurrency }, (_item, index) => `notice-1-failure-${index}`)
    const outcomes = await Promise.all(keys.map((key) => rig.channel.deliver(messageTo(rig, { key }), progress())))
    expect(outcomes.every(({ status }) => status === 'sent')).toBe(true)
    expect(await rig.arrived()).toHaveLength(keys.length)
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
    const channel = emailTransport(from, emlFiles(directory))
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

  test.each([
    [7, '7'],
    [null, undefined],
  ])('names service %s in a header: %s', async (serviceId, header) => {
    await emailTransport(from, emlFiles(directory)).deliver(message({ serviceId }), progress())
    const [name] = await readdir(directory)
    const mail = await simpleParser(await readFile(join(directory, name ?? '')))
    expect(mail.headers.get('x-latarnik-service')).toBe(header)
  })

  test('writes the same bytes for the same message, so that a repetition changes nothing', async () => {
    const attachment = { fileName: 'notification.json', contentType: 'application/json', content: '{}' }
    const channel = emailTransport(from, emlFiles(directory))
    await channel.deliver(message({ attachment }), progress())
    const [name] = await readdir(directory)
    const first = await readFile(join(directory, name ?? ''))
    await channel.deliver(message({ attachment }), progress())
    expect(await readFile(join(directory, name ?? ''))).toEqual(first)
  })

  test('a directory in the way leaves nothing half written', async () => {
    const channel = emailTransport(from, emlFiles(directory))
    await channel.deliver(message(), progress())
    const [name] = await readdir(directory)
    await rm(join(directory, name ?? ''))
    await mkdir(join(directory, name ?? '', 'full'), { recursive: true })
    expect(await channel.deliver(message(), progress())).toMatchObject({ status: 'failed', permanent: false })
    expect(await readdir(directory)).toEqual([name])
  })
})
