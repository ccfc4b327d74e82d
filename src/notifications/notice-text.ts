import type { CheckPart, NoticeContent, NoticeRow } from './notice-content.ts'
import { aligned } from './plain-text.ts'

/** A notice as plain text. */
export function noticeText(content: NoticeContent): string {
  const { failures, checks, meanings } = content
  const lines = [`${content.headline}: ${content.name}`, content.address, '', ...aligned(content.summary.map(pairOf))]
  if (failures !== null) lines.push('', `${failures.title}:`, ...failures.lines.map((line) => `  ${line}`))
  if (checks !== null) lines.push('', `${checks.title}:`, ...checks.parts.flatMap(checkLines))
  if (meanings !== null) {
    lines.push('', `${meanings.title}:`, ...meanings.parts.map(({ label, value }) => `  ${label}: ${value}`))
  }
  lines.push('', ...aligned(content.identity.map(pairOf)), '', content.zone)
  return `${lines.join('\n')}\n`
}

function pairOf({ label, value }: NoticeRow): [string, string] {
  return [label, value]
}

function checkLines({ sensor, outcome, message, links }: CheckPart): string[] {
  return [
    `  ${sensor}: ${outcome}`,
    ...(message === null ? [] : [`    ${message}`]),
    ...links.map(({ label, url }) => `    ${label}: ${url}`),
  ]
}
