/** Filters of texts ignore case, so the index of an object's records has the folded texts. */
export const auditByObject = `
drop index audit_log_object;
create index audit_log_object on audit_log (owner_id, fold(object_id), fold(resource));
`
