import sql from 'sql-template-tag'

/** Holds for a wide suspension, `wide`, that covers the row of `services`. */
export const covers = sql`wide.owner_id = services.owner_id
  and (wide.group_id is null or wide.group_id = services.group_id)
  and (wide.tag_id is null or wide.tag_id = any(services.tag_ids))`
