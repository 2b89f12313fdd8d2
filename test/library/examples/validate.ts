import { openInputs, parseHashConfig, validateUsers, type ValidateSummary } from "auth-migrate";

/** What an import of a Firebase export would do. */
export async function census(file: string, hashConfig: string): Promise<ValidateSummary> {
  const inputs = await openInputs([file], { from: "firebase" });
  return validateUsers({ inputs, hashConfig: parseHashConfig(hashConfig) });
}

const { ready, rejects } = await census("users.json", "hash_config { rounds: 8 }").catch(() => ({
  ready: { import: 0, passwordless: 0 },
  rejects: {},
}));
console.log(ready.import + ready.passwordless, rejects);
