/** Objects of a document's lists beside its users, each of which says in which it stood. */

/** The property that names the list of such an object, as `roles` or `orgs[].userGrants`. No vendor's objects have it. */
export const LIST = "auth_migrate_list";

/** The list beside the users in which an object stood; null for any other object. */
export function listOf(object: object): string | null {
  if (!Object.hasOwn(object, LIST)) return null;
  const list: unknown = Reflect.get(object, LIST);
  return typeof list === "string" ? list : null;
}

/** Whether an object of a list beside the users is to be handed on with them. */
export type TakesBeside = (object: object, list: string) => boolean;
