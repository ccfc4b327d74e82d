import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'
import { GatheredBytes } from '../outgoing/gathered-bytes.ts'

type Done = (error: Error | null, body?: Buffer) => void

/**
 * Reads a request's body up to the limit of its route. The framework would keep every piece as an object of its own:
 * a megabyte in pieces of one byte took four hundred.
 */
export function readBody(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
  const { bodyLimit } = request.routeOptions
  const body = new GatheredBytes()
  const stop = (error: Error | null): void => {
    payload.off('data', add).off('end', end).off('error', fail)
    if (error === null) done(null, body.whole())
    else done(error)
  }
  const add = (piece: Buffer): void => {
    if (body.length + piece.length > bodyLimit) stop(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else body.add(piece)
  }
  const end = (): void => stop(null)
  const fail = (error: Error): void => stop(Object.assign(error, { statusCode: 400 }))
  if (Number(request.headers['content-length']) > bodyLimit) done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  else payload.on('data', add).on('end', end).on('error', fail).resume()
}
