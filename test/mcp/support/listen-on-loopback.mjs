// Loaded before a published server that would listen on a fixed port of every interface.
import { Server } from "node:net";

const { listen } = Server.prototype;
Server.prototype.listen = function (_port, callback) {
  return listen.call(this, 0, "127.0.0.1", () => {
    process.send?.(this.address().port);
    callback?.();
  });
};
