import * as z from 'zod'
import { storable } from '../../domain/input/storable.ts'
import { largest, longest } from '../bounds.ts'

/** Accepted texts end up in the database, which cannot store every text. */
export function wireText(longestLength: number) {
  return z.string().max(longestLength).transform(storable)
}

/** For people, also on their terminals. */
export function wireLine(longestLength: number) {
  return z
    .string()
    .max(longestLength)
    .transform((given) => given.replaceAll(/\p{C}+/gu, ' ').trim())
}

export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null)
}

export const wireId = z.string().min(1).max(longest.id)
export const wireMoment = z.number().min(0).max(largest.moment)
export const wireCount = z.int().min(0).max(largest.integer)
