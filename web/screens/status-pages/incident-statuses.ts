const ofIncidents = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const
const ofMaintenance = ['scheduled', 'in_progress', 'verifying', 'completed'] as const

export const impacts = ['none', 'minor', 'major', 'critical'] as const

export function statusesOf(isMaintenance: boolean) {
  return isMaintenance ? ofMaintenance : ofIncidents
}

export const allStatuses = [...ofIncidents, ...ofMaintenance] as const

export function isOfMaintenance(status: string): boolean {
  return ofMaintenance.some((one) => one === status)
}
