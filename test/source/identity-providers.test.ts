import { describe, expect, test } from "vitest";
import { identityKind } from "../../src/source/identity-providers.js";

describe("an identity provider's name", () => {
  test.each([
    ...["google.com", "google-oauth2", "oauth_google", "from_oauth_google", "Google", " google "],
    ...["SignInWithApple", "apple.com", "LoginWithAmazon", "linkedin_oidc", "slack_oidc"],
    ...["linkedin-openid-connect", "facebook", "windowslive", "github.com"],
  ])("%j is a social network's", (name) => {
    expect(identityKind(name)).toBe("social");
  });

  test.each(["password", "email", "phone", "sms", "passkey"])("%j is the vendor's own", (name) => {
    expect(identityKind(name)).toBe("own");
  });

  test.each([
    ...["saml.acme", "oidc.google", "sso:21648a9d", "samlp", "waad", "adfs", "okta", "auth0"],
    ...["SAML", "OIDC", "keycloak", "workos", "acme.com", "oauth_custom_google", "", "__proto__"],
    ...["google.example.com", "googleworkspace", "constructor"],
  ])("%j, which isn't known, counts as an organization's", (name) => {
    expect(identityKind(name)).toBe("enterprise");
  });
});
