/** What a core keeps of an account beside its ways in, part by part. Requests and outcomes have the public counterpart's names. */

/** A JSON object. */
export type Metadata = Readonly<Record<string, unknown>>;

type Ok<Fields = unknown> = { readonly status: "OK" } & Fields;
type Failed<Status extends string> = { readonly status: Status };

interface OfUser {
  /** The core keeps a part under this id as it is given, whether it knows such a user or not. */
  readonly userId: string;
}
interface OfRole {
  /** 1 to 255 characters; blanks around it are taken off. */
  readonly role: string;
}
interface UserRole extends OfUser, OfRole {}

/** The calls of every part: what each is asked with, and what it answers. */
export interface PartCalls {
  /** `GET /recipe/user/metadata`; of an unknown user it is empty. */
  getMetadata(request: OfUser): Ok<{ readonly metadata: Metadata }>;
  /** `PUT /recipe/user/metadata`: replaces the top-level fields that are given; null removes one. */
  updateMetadata(
    request: OfUser & { readonly metadataUpdate: Metadata },
  ): Ok<{ readonly metadata: Metadata }>;
  /** `POST /recipe/user/metadata/remove`. */
  removeMetadata(request: OfUser): Ok;

  /** `PUT /recipe/role`: makes the role where there is none and adds permissions to it. */
  putRole(
    request: OfRole & { readonly permissions: readonly string[] },
  ): Ok<{ readonly createdNewRole: boolean }>;
  /** `POST /recipe/role/remove`: also takes it from every user. */
  removeRole(request: OfRole): Ok<{ readonly didRoleExist: boolean }>;
  /** `GET /recipe/roles`. */
  listRoles(request: Readonly<Record<string, never>>): Ok<{ readonly roles: readonly string[] }>;
  /** `GET /recipe/role/permissions`. */
  listPermissions(
    request: OfRole,
  ): Ok<{ readonly permissions: readonly string[] }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `POST /recipe/role/permissions/remove`; all of them where none is named. */
  removePermissions(
    request: OfRole & { readonly permissions?: readonly string[] | undefined },
  ): Ok | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `GET /recipe/permission/roles`. */
  rolesWithPermission(request: {
    readonly permission: string;
  }): Ok<{ readonly roles: readonly string[] }>;
  /** `PUT /recipe/user/role`. */
  addUserRole(
    request: UserRole,
  ): Ok<{ readonly didUserAlreadyHaveRole: boolean }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `POST /recipe/user/role/remove`. */
  removeUserRole(
    request: UserRole,
  ): Ok<{ readonly didUserHaveRole: boolean }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `GET /recipe/user/roles`. */
  rolesOfUser(request: OfUser): Ok<{ readonly roles: readonly string[] }>;
  /** `GET /recipe/role/users`. */
  usersOfRole(
    request: OfRole,
  ): Ok<{ readonly users: readonly string[] }> | Failed<"UNKNOWN_ROLE_ERROR">;
}

/** A call by its name. */
export type PartName = keyof PartCalls;
/** What a call is asked with. */
export type PartRequest<Name extends PartName> = Parameters<PartCalls[Name]>[0];
/** What a call answers. */
export type PartOutcome<Name extends PartName> = ReturnType<PartCalls[Name]>;

/** Something that makes each of some calls. */
export type PartHandlers<Names extends PartName = PartName> = {
  readonly [Name in Names]: (request: PartRequest<Name>) => Promise<PartOutcome<Name>>;
};
