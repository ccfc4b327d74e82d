/** As much of each protocol as one check needs, in the state of its part. */
import { createServer, type Server, type Socket } from 'node:net'
import { longText, methodFrame } from '../../checks/rabbitmq/frames.ts'
import type { Part } from '../moods.ts'
import type { Moods } from './web.ts'

type Bytes = string | Buffer

interface Script {
  readonly part: Part
  /** Sent at once. */
  readonly greeting?: Bytes
  /** Sent instead of the greeting or the first answer while the part fails; then the server closes the connection. */
  readonly illness: Bytes
  readonly answer: (heard: Buffer, times: number) => Bytes
}

/** A server that follows the script: one answer for each received piece. */
function scripted(moods: Moods, { part, greeting, illness, answer }: Script): Server {
  return createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy()).setTimeout(30_000, () => socket.destroy())
    const isIll = moods.now(part).isFailing
    if (isIll && greeting !== undefined) return socket.resume().end(illness)
    if (greeting !== undefined) socket.write(greeting)
    let times = 0
    return socket.on('data', (heard) => {
      if (isIll) return socket.end(illness)
      times += 1
      return socket.write(answer(heard, times))
    })
  })
}

const lines = (moods: Moods, part: Part, greeting: string, illness: string, answer: (line: string) => string) =>
  scripted(moods, { part, greeting, illness, answer: (heard) => answer(heard.toString('latin1')) })

function postgresqlMessage(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), length, body])
}

function mysqlPacket(sequence: number, body: Bytes): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([Buffer.from([bytes.length, 0, 0, sequence]), bytes])
}

const mysqlGreeting = Buffer.concat([
  Buffer.from('\n8.4.0\0'),
  Buffer.from([7, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0xff, 0xf7, 8, 2, 0, 0x0f, 0, 21]),
  Buffer.alloc(10),
  Buffer.alloc(12, 9),
  Buffer.from('\0mysql_native_password\0'),
])
const mysqlError = (code: number, text: string) =>
  Buffer.concat([Buffer.from([0xff, code & 0xff, code >> 8]), Buffer.from(text)])

/** `{ok: 1}` as BSON. */
const bsonOk = Buffer.from('11000000016f6b00000000000000f03f00', 'hex')

function mongodbAnswer(question: Buffer): Buffer {
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + bsonOk.length)
  question.copy(head, 8, 4, 8)
  head.writeInt32LE(2013, 12)
  return Buffer.concat([head, bsonOk])
}

const amqpStart = methodFrame(0, [10, 10], Buffer.from([0, 9]), longText(''), longText('PLAIN'), longText('en_US'))
const amqpTune = methodFrame(0, [10, 30], Buffer.from([7, 0xff, 0, 2, 0, 0, 0, 60]))
const amqpOpenOk = methodFrame(0, [10, 41], Buffer.alloc(1))

export const redisServer = (moods: Moods) =>
  scripted(moods, { part: 'basket', illness: '-LOADING Redis is loading the dataset\r\n', answer: () => '+PONG\r\n' })

export const postgresqlServer = (moods: Moods) =>
  scripted(moods, {
    part: 'warehouse',
    illness: postgresqlMessage('E', Buffer.from('SFATAL\0C57P03\0Mthe database system is shutting down\0\0')),
    answer: () => postgresqlMessage('R', Buffer.from([0, 0, 0, 5, 1, 2, 3, 4])),
  })

export const mysqlServer = (moods: Moods) =>
  scripted(moods, {
    part: 'warehouse',
    greeting: mysqlPacket(0, mysqlGreeting),
    illness: mysqlPacket(0, mysqlError(1040, 'Too many connections')),
    answer: () => mysqlPacket(2, mysqlError(1045, 'Access denied')),
  })

export const mongodbServer = (moods: Moods) =>
  scripted(moods, { part: 'warehouse', illness: '', answer: mongodbAnswer })

export const mqttBroker = (moods: Moods) =>
  scripted(moods, {
    part: 'warehouse',
    illness: Buffer.from([0x20, 2, 0, 3]),
    answer: () => Buffer.from([0x20, 2, 0, 0]),
  })

export const rabbitmqBroker = (moods: Moods) =>
  scripted(moods, {
    part: 'orders',
    illness: '',
    answer: (heard, times) => {
      if (times === 1) return amqpStart
      // Limits are negotiated, and the host is opened, in one piece or two.
      return times === 2 ? amqpTune : heard.includes(Buffer.from([0, 10, 0, 40])) ? amqpOpenOk : ''
    },
  })

export const imapServer = (moods: Moods) =>
  lines(
    moods,
    'imap',
    '* OK IMAP4rev1 ready\r\n',
    '* BYE closing down\r\n',
    (line) => `* BYE\r\n${line.split(' ')[0]} OK\r\n`,
  )

export const pop3Server = (moods: Moods) =>
  lines(moods, 'imap', '+OK ready\r\n', '-ERR closing down\r\n', () => '+OK\r\n')

export const ftpServer = (moods: Moods) =>
  lines(moods, 'warehouse', '220 ready\r\n', '421 closing down\r\n', () => '221 bye\r\n')

const keyExchange = Buffer.from([0, 0, 0, 20, 4, 20, ...Array<number>(18).fill(0)])

export const sshServer = (moods: Moods) =>
  scripted(moods, {
    part: 'router',
    greeting: 'SSH-2.0-OpenSSH_9.2\r\n',
    illness: 'Exceeded MaxStartups\r\n',
    answer: () => keyExchange,
  })
