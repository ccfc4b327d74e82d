import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { PdfDocument } from '../../src/reports/pdf/document.ts'
import { fitted, wrapped } from '../../src/reports/pdf/lines.ts'
import { readTrueType } from '../../src/reports/pdf/true-type.ts'

const bytes = readFileSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))

describe('a font', () => {
  test('that is cut down draws what is left as before, with the parts that letters are made of', () => {
    const font = readTrueType(bytes)
    const letters = [...'Zażółć gęślą jaźń – 99,950 %€']
    const glyphs = letters.map((letter) => font.glyphOf(letter.codePointAt(0) ?? 0))
    expect(glyphs).not.toContain(0)
    const small = font.subset(glyphs)
    expect(small.length).toBeLessThan(bytes.length / 20)
    expect(outlines(small, glyphs)).toEqual(outlines(bytes, glyphs))
  })

  test('knows what it cannot draw', () => {
    expect(readTrueType(bytes).glyphOf(0x4e2d)).toBe(0)
  })
})

/** By glyph: its width, and its outline as bytes. */
function outlines(font: Buffer, glyphs: readonly number[]) {
  const table = (name: string) => {
    for (let index = 0; index < font.readUInt16BE(4); index += 1) {
      const at = 12 + 16 * index
      if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8)
    }
    throw new Error(`no table ${name}`)
  }
  const [glyf, loca, hmtx] = [table('glyf'), table('loca'), table('hmtx')]
  const isLong = font.readInt16BE(table('head') + 50) === 1
  const place = (glyph: number) =>
    isLong ? font.readUInt32BE(loca + 4 * glyph) : 2 * font.readUInt16BE(loca + 2 * glyph)
  return glyphs.map((glyph) => ({
    glyph,
    width: font.readUInt16BE(hmtx + 4 * glyph),
    // The remaining digits fill up whole words.
    outline: font.toString('hex', glyf + place(glyph), glyf + place(glyph + 1)).replace(/0{0,6}$/, ''),
  }))
}

/** Every letter is as wide as it is high. */
const face = { widthOf: (text: string, size: number) => [...text].length * size }

describe('lines', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'ż', ' ', '😀', '\n'), maxLength: 200 })

  test('are no longer than their room, whatever the words, and lose no letter', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, room) => {
        const lines = wrapped(text, { face, size: 2, width: 2 * room })
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(room)
        expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
      }),
    )
  })

  test('break where words end', () => {
    expect(wrapped('Zażółć gęślą jaźń', { face, size: 1, width: 12 })).toEqual(['Zażółć gęślą', 'jaźń'])
  })

  test('that are one end with dots where they are cut', () => {
    expect(fitted('Zażółć gęślą jaźń', { face, size: 1, width: 12 })).toBe('Zażółć gęśl…')
    expect(fitted('jaźń', { face, size: 1, width: 4 })).toBe('jaźń')
  })
})

test('a document gives back its texts, its tags, its bookmarks and its links', async () => {
  const facts = { title: 'Żółw (1)', author: 'A & B <c>', language: 'pl', createdAt: Date.UTC(2026, 10, 21) }
  const document = new PdfDocument(facts)
  const style = { face: document.face('DejaVuSans', bytes), size: 10, colour: '#000000' }
  const [first, second] = [document.page(), document.page()]
  const part = document.part('Sect')
  const picture = part.child('Figure', { alternative: 'Wykres „x”', box: [0, 0, 10, 10] })
  second.mark(picture, () => second.boxes('#ff0000', [{ x: 1, y: 1, width: 5, height: 5 }]))
  second.mark(part.child('P'), () => second.text(50, 50, 'Zażółć 中', style))
  const link = part.child('Link')
  first.mark(link, () => first.text(50, 50, 'dalej', style))
  first.link({ x: 50, y: 40, width: 100, height: 12 }, second, link, 'dalej, strona 2')
  part.close()
  for (const page of [first, second]) document.closePage(page)
  const pdf = document.finish({
    ...{ pages: [first, second], parts: [part] },
    bookmarks: [{ title: 'Druga', page: second }],
  })
  const read = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const { info, metadata } = await read.getMetadata()
  expect(info).toMatchObject({ Title: facts.title, Author: facts.author, Language: 'pl' })
  expect([metadata.get('dc:title'), metadata.get('dc:creator')]).toEqual([facts.title, [facts.author]])
  expect((await read.getOutline()).map(({ title }) => title)).toEqual(['Druga'])
  const page = await read.getPage(2)
  const { items } = await page.getTextContent()
  expect(items.map((item) => ('str' in item ? item.str.trim() : '')).join('')).toBe('Zażółć \ufffd')
  expect(JSON.stringify(await page.getStructTree())).toContain('"role":"Figure"')
  expect(JSON.stringify(await page.getStructTree())).toContain('Wykres „x”')
  const [annotation] = (await (await read.getPage(1)).getAnnotations()) as { dest: unknown[] }[]
  expect(await read.getPageIndex(annotation?.dest[0] as { num: number; gen: number })).toBe(1)
})
