/** The paths of interface.md section 4 and of what a migration needs beyond it: one list for server and client. */

export const PATHS = {
  createCode: "/recipe/signinup/code",
  consumeCode: "/recipe/signinup/code/consume",
  updateUser: "/recipe/user",
  importUser: "/recipe/user/passwordhash/import",
  signIn: "/recipe/signin",
  hello: "/hello",
  apiVersion: "/apiversion",
  getUser: "/user/id",
  removeUser: "/user/remove",
  listUsers: "/users",
  countUsers: "/users/count",
  findUsers: "/users/by-accountinfo",
  userIdMapping: "/recipe/userid/map",
} as const;
