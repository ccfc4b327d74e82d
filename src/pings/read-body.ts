import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { networkOf, withoutPort } from '../domain/access/network.ts'
import { GatheredBytes } from '../outgoing/gathered-bytes.ts'
import { Shares } from './shares.ts'

/** Bytes of a body that are kept; the rest is read and forgotten, as clients of Healthchecks expect. */
export const keptBytes = 100_000
/** A caller that sends more is cut off. */
const mostBytes = 10 * 2 ** 20
/** The size of all bodies that are being read. */
const usualRoom = 64 * 2 ** 20

class BodyTooLarge extends Error {
  readonly statusCode = 413
}

type Done = (error: Error | null, body?: Buffer) => void

/**
 * Makes the function that reads the first bytes of a request's body. The room for all bodies under way is divided among
 * the networks: a network that sends many bodies slowly has its share, and of what is beyond it no more is kept.
 */
export function newStartReader(room: number = usualRoom) {
  const shares = new Shares(room)
  return ({ ip }: Pick<FastifyRequest, 'ip'>, payload: IncomingMessage, done: Done): void => {
    const network = networkOf(withoutPort(ip))
    const kept = new GatheredBytes()
    let seen = 0
    let isCut = false
    let taken = 0
    const leave = () => {
      shares.move(network, -taken)
      taken = 0
    }
    payload.on('data', (chunk: Buffer) => {
      const piece = chunk.subarray(0, Math.max(0, keptBytes - seen))
      isCut ||= !shares.fits(network, piece.length)
      if (!isCut) {
        shares.move(network, piece.length)
        taken += piece.length
        kept.add(piece)
      }
      seen += chunk.length
      if (seen <= mostBytes) return
      payload.removeAllListeners('data').removeAllListeners('end')
      leave()
      done(new BodyTooLarge('the body is too large'))
      payload.destroy()
    })
    payload.on('end', () => {
      leave()
      done(null, kept.whole())
    })
    payload.on('error', (error) => done(error))
    payload.on('close', leave)
  }
}
