import { Failure } from '../../outgoing/failure.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText } from '../../sensor/settings.ts'
import type { GrpcAnswer } from './exchange.ts'

const path = '/grpc.health.v1.Health/Check'
const states: Readonly<Record<number, string>> = { 0: 'UNKNOWN', 1: 'SERVING', 2: 'NOT_SERVING', 3: 'SERVICE_UNKNOWN' }

/** Up when the server's health service says that it serves (GRPC Health Checking Protocol). */
export const checkGrpc: CheckFunction = async (job, equipment, family, stallMeter) => {
  // Loaded before anything is dialled: what a server says first must find its reader.
  const { callGrpc } = await import('./exchange.ts')
  return converse(
    job,
    equipment,
    { family, stallMeter, protocols: ['h2'] },
    async ({ settings, line, attempt, isSecure }) => {
      const socket = line.release()
      const origin = new URL(`${isSecure() ? 'https' : 'http'}://${job.address}`)
      const name = Buffer.from(readOptionalText(settings, 'service_name') ?? '')
      // HealthCheckRequest { string service = 1 }
      const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a, ...lengthOf(name)]), name])
      const answer = await callGrpc(attempt, socket, { origin, path, message })
      attempt.stop()
      line.bytes = answer.body.length
      judge(answer)
    },
  )
}

function lengthOf({ length }: Buffer): readonly number[] {
  return length < 0x80 ? [length] : [0x80 | (length & 0x7f), length >> 7]
}

const code = { ok: 0, notFound: 5, permissionDenied: 7, unimplemented: 12, unauthenticated: 16 } as const

function judge({ httpStatus, status, statusText, body }: GrpcAnswer): void {
  if (httpStatus !== 200) throw new Failure('protocol_refused', `status ${httpStatus}`)
  if (status === null || !Number.isInteger(status)) throw notSpoken('an answer without a status')
  const told = `gRPC status ${status} ${statusText}`.trim().slice(0, 300)
  if (status === code.notFound) throw new Failure('not_serving', told)
  if (status === code.unauthenticated || status === code.permissionDenied) throw new Failure('login_required', told)
  if (status === code.unimplemented) throw new Failure('protocol_refused', `${told} (no health service)`)
  if (status !== code.ok) throw new Failure('protocol_refused', told)
  const state = stateOf(body)
  if (state !== 1) throw new Failure('not_serving', states[state] ?? `state ${state}`)
}

/** HealthCheckResponse { ServingStatus status = 1 }, behind five bytes of framing; the default is not sent. */
function stateOf(body: Buffer): number {
  const length = body.length < 5 ? -1 : body.readUInt32BE(1)
  if (body[0] !== 0 || length !== body.length - 5) throw notSpoken('an answer that is cut')
  if (length === 0) return 0
  if (body[5] !== 0x08) throw notSpoken('an answer of another service')
  return body[6] ?? 0
}
