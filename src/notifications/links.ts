import type { NoticeFacts } from '../domain/notification/notice.ts'

/** Where a reader finds more: pages for people, and for programs the addresses of the API. */
export interface NoticeLinks {
  readonly service: string
  readonly analysis: string | null
  /** A page with a button that says that somebody knows of the failure; null: nothing to acknowledge. */
  readonly acknowledge: string | null
  readonly api: { readonly service: string; readonly analysis: string | null }
  ofCheck(sensorId: number): { readonly details: string | null; readonly artifacts: string | null }
}

/**
 * @param publicUrl the address of the program without `/v3` @param token acknowledges the failure; null: no such link
 */
export function noticeLinks(publicUrl: string, facts: NoticeFacts, token: string | null = null): NoticeLinks {
  const root = publicUrl.replace(/\/+$/, '')
  const path = `/services/${facts.service.id}`
  const [service, ofApi] = [`${root}${path}`, `${root}/v3${path}`]
  const ofAnalysis = (start: string) => (facts.analysis_id === null ? null : `${start}/${facts.analysis_id}`)
  const analysis = ofAnalysis(`${service}/analyses`)
  return {
    service,
    analysis,
    acknowledge: token === null ? null : acknowledgeUrl(publicUrl, token),
    api: { service: ofApi, analysis: ofAnalysis(`${ofApi}/history/analyses`) },
    ofCheck(sensorId) {
      const check = analysis === null ? null : `${analysis}#sensor-${sensorId}`
      return { details: check, artifacts: check }
    },
  }
}

export function acknowledgeUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/acknowledge?token=${token}`
}
