import { describe, expect, test } from 'vitest'
import { isProblemSymbol, problemCode, problemSymbols } from './problem-codes.ts'

describe('the catalogue of problems', () => {
  test('the codes that the specification fixes', () => {
    expect(problemCode('incorrect_value')).toEqual({ status: 422, code: 4_222_064 })
    expect(problemCode('incorrect_type')).toEqual({ status: 422, code: 4_220_555 })
  })

  test.each(problemSymbols)('the code of %s has seven digits and starts with its status', (symbol) => {
    const { status, code } = problemCode(symbol)
    expect(String(code)).toMatch(/^\d{7}$/)
    expect(String(code).slice(0, 3)).toBe(String(status))
  })

  test('symbols and codes are one to one', () => {
    const codes = new Set(problemSymbols.map((symbol) => problemCode(symbol).code))
    expect(codes.size).toBe(problemSymbols.length)
  })

  test('only statuses of the interface are used', () => {
    const allowed = [400, 401, 403, 404, 405, 412, 413, 415, 416, 422, 429, 500, 503]
    for (const symbol of problemSymbols) expect(allowed).toContain(problemCode(symbol).status)
  })

  test('nothing inherited is a symbol', () => {
    expect(isProblemSymbol('toString')).toBe(false)
    expect(isProblemSymbol('not_found')).toBe(true)
  })
})
