import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { smtpServer } from '../../src/channels/email/smtp.ts'
import { startMailbox } from '../support/mailbox.ts'

const timeouts = { connection: 300, greeting: 300, silence: 300, untilHandOver: 600 }
const mail = {
  key: 'k',
  decidedAt: 0,
  from: 'latarnik@example.com',
  to: 'alice@example.com',
  raw: Buffer.from('Subject: x\r\n\r\n.hidden\r\n.\r\nrest'),
}

const agreed = { handOver: async () => undefined }

interface Rude {
  readonly url: string
  readonly heard: () => string
}

let server: Server | undefined
const sockets = new Set<Socket>()

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)))
  server = undefined
})

/** A server that says what the test makes it say: `greeting` at once, then an answer to each line, or nothing. */
async function rudeServer(greeting: string, answer: (line: string, socket: Socket) => string | null): Promise<Rude> {
  let heard = ''
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let rest = ''
    socket.on('data', (chunk) => {
      heard += chunk
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const reply = answer(line, socket)
        if (reply !== null && socket.writable) socket.write(`${reply}\r\n`)
      }
    })
    if (greeting !== '') socket.write(`${greeting}\r\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, heard: () => heard }
}

function usual(line: string): string | null {
  if (/^EHLO/.test(line)) return '250 rude'
  if (/^(MAIL|RCPT)/.test(line)) return '250 ok'
  return line === 'DATA' ? '354 go on' : null
}

async function deliver({ url }: Rude) {
  let handedOver = 0
  const outcome = await smtpServer(url, timeouts).send(mail, {
    async handOver() {
      handedOver += 1
    },
  })
  return { outcome, handedOver }
}

describe('a mail server', () => {
  test('that never greets is given up in time', async () => {
    const { outcome, handedOver } = await deliver(await rudeServer('', () => null))
    expect(outcome).toMatchObject({ status: 'failed', permanent: false })
    expect(handedOver).toBe(0)
  })

  test('that closes before its greeting is a failure', async () => {
    const rude = await rudeServer('', () => null)
    server?.on('connection', (socket) => socket.end())
    expect((await deliver(rude)).outcome).toMatchObject({ status: 'failed', permanent: false })
  })

  test('that refuses everybody for now is tried again', async () => {
    const { outcome } = await deliver(await rudeServer('421 too busy', () => null))
    expect(outcome).toMatchObject({ status: 'failed', permanent: false, error: expect.stringContaining('too busy') })
  })

  test('that is no mail server is a failure', async () => {
    const { outcome } = await deliver(await rudeServer('HTTP/1.1 400 Bad Request', () => null))
    expect(outcome).toMatchObject({ status: 'failed', permanent: false })
  })

  test('that falls silent in the middle is given up before the hand-over', async () => {
    const { outcome, handedOver } = await deliver(
      await rudeServer('220 rude', (line) => (line.startsWith('RCPT') ? null : usual(line))),
    )
    expect(outcome).toMatchObject({ status: 'failed', permanent: false })
    expect(handedOver).toBe(0)
  })

  test('that keeps talking without end is given up before the hand-over', async () => {
    const timers: NodeJS.Timeout[] = []
    const rude = await rudeServer('220 rude', (line, socket) => {
      if (!line.startsWith('MAIL')) return usual(line)
      timers.push(setInterval(() => socket.writable && socket.write('250-not yet\r\n'), 50))
      return null
    })
    const { outcome, handedOver } = await deliver(rude)
    for (const timer of timers) clearInterval(timer)
    expect(outcome).toMatchObject({ status: 'failed', permanent: false })
    expect(handedOver).toBe(0)
  })

  test('that never answers the message leaves it unconfirmed', async () => {
    const rude = await rudeServer('220 rude', usual)
    const { outcome, handedOver } = await deliver(rude)
    expect(outcome.status).toBe('unconfirmed')
    expect(handedOver).toBe(1)
    expect(rude.heard()).toContain('\r\n\r\n..hidden\r\n..\r\nrest\r\n.\r\n')
  })

  test('hears no final dot when the hand-over is refused', async () => {
    const rude = await rudeServer('220 rude', usual)
    const outcome = await smtpServer(rude.url, timeouts).send(mail, {
      async handOver() {
        await expect.poll(rude.heard).toContain('..hidden')
        throw new Error('not ours any more')
      },
    })
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('not ours any more') })
    expect(rude.heard()).not.toContain('rest\r\n.\r\n')
  })

  test('that answers 421 to the message refused it', async () => {
    const { outcome } = await deliver(
      await rudeServer('220 rude', (line) => (line === '.' ? '421 going down' : usual(line))),
    )
    expect(outcome).toMatchObject({ status: 'failed', permanent: false, error: expect.stringContaining('going down') })
  })

  test('gets the next message over the same connection', async () => {
    const mailbox = await startMailbox()
    const sender = smtpServer(mailbox.url)
    for (let index = 0; index < 3; index += 1) expect(await sender.send(mail, agreed)).toEqual({ status: 'sent' })
    expect(mailbox.mails).toHaveLength(3)
    expect(mailbox.connections()).toBe(1)
    sender.close()
    await mailbox.stop()
  })

  test('that closed an idle connection gets the next message over a new one, at once', async () => {
    let isPatient = true
    const rude = await rudeServer('220 rude', (line, socket) => {
      if (line === '.') return '250 taken'
      if (!line.startsWith('MAIL') || isPatient) return usual(line)
      socket.destroy()
      return null
    })
    const sender = smtpServer(rude.url, timeouts)
    expect(await sender.send(mail, agreed)).toEqual({ status: 'sent' })
    isPatient = false
    const [stale] = sockets
    server?.on('connection', () => {
      isPatient = true
    })
    expect(await sender.send(mail, agreed)).toEqual({ status: 'sent' })
    expect(stale?.destroyed).toBe(true)
    sender.close()
  })
})
