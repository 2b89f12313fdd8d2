/** Hashes of invented people with their passwords: cheap ones made for these tests, and the public sample of github.com/firebase/scrypt with its signer key. */

export const SIGNER_KEY =
  "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==";

export const KNOWN_HASHES = {
  bcrypt: {
    password: "correct horse battery",
    passwordHash: "$2a$04$kWru01o9W3Sr.n9VuWmdDOnIQl02fRZH3HO/jfbbNyBTWKLzQ6BtW",
  },
  argon2: {
    password: "correct horse battery",
    passwordHash:
      "$argon2id$v=19$m=1024,t=2,p=1$T8Cla1aTchpiJBDcGnHSpw$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk",
  },
  vendor_scrypt: {
    password: "user1password",
    passwordHash:
      "$f_scrypt$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==",
    hashingAlgorithm: "vendor_scrypt",
  },
} as const;
