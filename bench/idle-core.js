/** A core that does nothing: it says OK to every import and keeps nobody, so that an import's own work is what takes time. `node bench/idle-core.js` prints its URL as JSON, and at SIGTERM how often it was called, by path. */

import { createServer } from "node:http";

/** An id that the email can be read from again. */
const idOf = (email) => `user-${Buffer.from(email).toString("hex")}`;
const emailOf = (id) => Buffer.from(id.slice("user-".length), "hex").toString();

const ANSWERS = {
  // The probe asks for no code at all.
  "/recipe/signinup/code": () => null,
  "/apiversion": () => ({ versions: ["5.3"], dialects: ["interface"] }),
  "/users/by-accountinfo": () => ({ status: "OK", users: [] }),
  "/user/id": ({ query }) => {
    const userId = query.get("userId");
    const email = emailOf(userId);
    const method = { recipeId: "emailpassword", recipeUserId: userId, email };
    return { status: "OK", user: { id: userId, emails: [email], loginMethods: [method] } };
  },
  "/recipe/user/passwordhash/import": ({ text }) => {
    const { email } = JSON.parse(text);
    const user = { userId: idOf(email), email };
    return { status: "OK", didUserAlreadyExist: false, user };
  },
};

const calls = {};
const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const { pathname, searchParams: query } = new URL(request.url, "http://core");
    calls[pathname] = (calls[pathname] ?? 0) + 1;
    const answer = ANSWERS[pathname]?.({ query, text });
    response.statusCode = answer === null ? 400 : answer === undefined ? 404 : 200;
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(JSON.stringify(answer ?? { message: "not like this" }));
  });
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.once("SIGTERM", () => {
  console.log(JSON.stringify(calls));
  server.close();
  server.closeAllConnections();
});
