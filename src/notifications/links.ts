import type { NoticeFacts } from '../domain/notice.ts'

/** Where a reader finds more, as addresses of the API. */
export interface NoticeLinks {
  readonly service: string
  readonly analysis: string | null
  ofCheck(sensorId: number): { readonly details: string | null; readonly artifacts: string | null }
}

/** `publicUrl` is the address of the program without `/v3`. */
export function noticeLinks(publicUrl: string, facts: NoticeFacts): NoticeLinks {
  const service = `${publicUrl.replace(/\/+$/, '')}/v3/services/${facts.service.id}`
  const analysis = facts.analysis_id === null ? null : `${service}/history/analyses/${facts.analysis_id}`
  return {
    service,
    analysis,
    ofCheck(sensorId) {
      if (analysis === null) return { details: null, artifacts: null }
      const check = `${analysis}/checks/${sensorId}`
      return { details: `${check}/details`, artifacts: `${check}/artifacts` }
    },
  }
}
