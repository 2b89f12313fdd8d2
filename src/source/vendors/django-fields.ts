/** What the fields of Django's users are: those of AbstractUser, and what applications call a phone. Fields of the application's own model are told by their names. */

import { fieldTree } from "../fields/field-tree.js";

const SHARED = {
  pages: ["https://docs.djangoproject.com/en/5.2/ref/contrib/auth/#fields"],
  joined: "date_joined",
  metadata: "first_name > given_name, last_name > family_name, username > preferred_username",
  roles: "groups",
  told: { roles_not_migrated: "is_staff, is_superuser, user_permissions" },
  meaningless: { "Django's record of sign-ins": "last_login" },
};
const READ = {
  contact: "email, phone_number, phone, mobile, mobile_number",
  hash: "password",
};

export const DJANGO_FIELDS = fieldTree({
  ...SHARED,
  read: { ...READ, id: "pk", flag: "is_active, model" },
});

export const DJANGO_COLUMNS = fieldTree({
  ...SHARED,
  read: { ...READ, id: "id", flag: "is_active" },
});
